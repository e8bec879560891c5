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
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Frame;
  }
}
