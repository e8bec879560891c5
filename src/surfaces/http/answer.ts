import { type Frame, frameMediaType } from '../../client/frames.ts';
import { errorCatalogue } from '../../core/error-catalogue.ts';
import { asQuarryError, type ErrorData, errorToData, type QuarryError } from '../../core/errors.ts';
import { eventToData, type QuarryEvent } from '../../core/events.ts';
import type { RequestOf } from './request-context.ts';

/** Work that emits events and ends with a result. */
export type Work = AsyncGenerator<QuarryEvent, unknown>;

/** How a stream of frames is written. */
interface FrameFormat {
  readonly mediaType: string;
  write(frame: Frame): string;
}

const formats: readonly FrameFormat[] = [
  { mediaType: frameMediaType, write: (frame) => `${JSON.stringify(frame)}\n` },
  {
    mediaType: 'text/event-stream',
    write: (frame) => `event: ${Object.keys(frame)[0]}\ndata: ${JSON.stringify(frame)}\n\n`,
  },
];

/** The format of frames that the caller accepts; undefined where it wants the result alone. */
export function acceptedFormat(accept: string | undefined): FrameFormat | undefined {
  return formats.find(({ mediaType }) => accept?.includes(mediaType));
}

/** Streams the events of the work and then its result, in the form the caller accepts. */
export function answerWithFrames(
  c: RequestOf,
  format: FrameFormat,
  work: Work,
  exitCode: (result: unknown) => number = () => 0,
): Response {
  const encoder = new TextEncoder();
  async function* lines(): AsyncGenerator<Uint8Array> {
    for await (const frame of framesOf(c, work, exitCode)) yield encoder.encode(format.write(frame));
  }
  // A caller that leaves ends the generator, which releases what the work holds.
  return c.body(ReadableStream.from(lines()) as ReadableStream, 200, {
    'content-type': format.mediaType,
    'cache-control': 'no-store',
  });
}

/** The events of the work and then its result or failure, as frames. */
export async function* framesOf(
  c: RequestOf,
  work: Work,
  exitCode: (result: unknown) => number,
): AsyncGenerator<Frame> {
  try {
    let step = await work.next();
    for (; !step.done; step = await work.next()) yield { event: eventToData(step.value) };
    yield { result: step.value, exit_code: exitCode(step.value) };
  } catch (thrown) {
    yield { error: errorFor(c, asQuarryError(thrown)) };
  } finally {
    await work.return(undefined);
  }
}

/** The error as the answer to a request. */
export function answerWithError(c: RequestOf, error: QuarryError): Response {
  const { httpStatus } = error;
  const retryAfter = error.retryAfter && { 'retry-after': String(Math.ceil(error.retryAfter / 1000)) };
  return c.json({ error: errorFor(c, error) }, httpStatus as 400, {
    ...retryAfter,
    ...(httpStatus === 401 && { 'www-authenticate': 'Bearer' }),
  });
}

/**
 * What a caller sees of an error. Over the network a fault of the server is named, but its paths and details stay in the
 * log: the user of the machine finds them there by the id of the request.
 */
export function errorFor(c: RequestOf, error: QuarryError): ErrorData {
  const kind = errorCatalogue[error.code];
  c.set('failure', error);
  if (c.get('grant')?.isOwner || kind.blames === 'caller') return errorToData(error);
  return {
    ...errorToData(error),
    message: kind.summary,
    remedy: `Ask the operator of the server; the log has the details under ${c.get('requestId')}.`,
  };
}
