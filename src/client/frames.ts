import type { ErrorData } from '../core/errors.ts';
import type { EventData } from '../core/events.ts';

/** One line of a streamed answer: what happens, and at the end the result or why there is none. */
export type Frame =
  | { readonly event: EventData }
  | { readonly result: unknown; readonly exit_code: number }
  | { readonly error: ErrorData };

/** The media type of a stream of frames, one JSON object a line. */
export const frameMediaType = 'application/x-ndjson';

/** The frames of a body. A last line that was cut off is not one. */
export async function* readFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  // A long line comes in many parts: to look through all of them again with each would take their square.
  let parts: string[] = [];
  for await (const bytes of body) {
    const [end = '', ...begun] = decoder.decode(bytes, { stream: true }).split('\n');
    parts.push(end);
    for (const next of begun) {
      const line = parts.join('');
      parts = [next];
      if (line !== '') yield JSON.parse(line) as Frame;
    }
  }
}
