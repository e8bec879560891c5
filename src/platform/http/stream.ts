import type { IncomingMessage } from 'node:http';
import { interrupted, QuarryError } from '../../core/errors.ts';
import { onAbort } from '../abort.ts';

/** The answer to a call whose body is read as it arrives. */
export interface HttpStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Rejects where the connection breaks off, or nothing arrives for too long. Leaving it early ends the call. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** What a body that does not arrive whole is reported as. */
interface StreamFailures {
  slow(): QuarryError;
  broken(cause: unknown): QuarryError;
}

/** The parts of a body; the time that one may take begins again with each. */
export async function* readAsItArrives(
  response: IncomingMessage,
  maxPause: number,
  { slow, broken }: StreamFailures,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let failure: QuarryError | undefined;
  const end = (error: QuarryError): void => {
    failure ??= error;
    response.destroy();
  };
  const timer = setTimeout(() => end(slow()), maxPause);
  const ignore = onAbort(signal, () => end(interrupted(signal?.reason)));
  try {
    for await (const part of response) {
      timer.refresh();
      yield part;
    }
    if (failure) throw failure;
    if (!response.complete) throw broken(undefined);
  } catch (cause) {
    throw failure ?? (cause instanceof QuarryError ? cause : broken(cause));
  } finally {
    clearTimeout(timer);
    ignore();
    response.destroy();
  }
}

/** One event of a stream of server-sent events. */
export interface ServerEventData {
  readonly event: string;
  readonly data: string;
}

/** The longest line that is waited for; no service sends longer ones. */
const maxLineLength = 4 * 1024 * 1024;

/** The events of a body. One that was cut off is none. */
export async function* serverSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEventData> {
  let event = '';
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line === '') {
      if (data.length > 0) yield { event, data: data.join('\n') };
      event = '';
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
  // Some servers leave out the empty line after the last event.
  if (data.length > 0) yield { event, data: data.join('\n') };
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = parts.pop() ?? '';
    if (rest.length > maxLineLength) return;
    yield* parts;
  }
  if (rest !== '') yield rest.replace(/\r$/, '');
}
