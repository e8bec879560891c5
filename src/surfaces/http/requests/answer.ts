import { type Frame, frameMediaType } from '../../../client/frames.ts';
import { errorCatalogue } from '../../../core/error-catalogue.ts';
import { asQuarryError, type ErrorData, errorToData, type QuarryError } from '../../../core/errors.ts';
import { eventToData, type QuarryEvent } from '../../../core/events.ts';
import { shortened } from '../../../core/text/shortened.ts';
import type { RequestOf, Shown } from './request-context.ts';

/** Work that emits events and ends with a result. */
export type Work = AsyncGenerator<QuarryEvent, unknown>;

/** How a stream of frames is written. */
interface FrameFormat {
  readonly mediaType: string;
  /** What is sent while there is nothing to tell, so that both sides see that the other is there. */
  readonly beat: string;
  write(frame: Frame): string;
}

/** Milliseconds without an event after which a sign of life is sent: who asked may take a silent engine for a stuck one. */
const beatsEvery = 5_000;
/** Milliseconds that a caller may take to accept what is sent to it. */
const stallsAtMost = 120_000;

/** Characters of a message: what a caller sent stands in some, whatever its length. */
const maxMessageLength = 2_000;

const formats: readonly FrameFormat[] = [
  { mediaType: frameMediaType, beat: '\n', write: (frame) => `${JSON.stringify(frame)}\n` },
  {
    mediaType: 'text/event-stream',
    beat: ':\n\n',
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
  exitCode?: (result: unknown) => number,
): Response {
  const encoder = new TextEncoder();
  async function* lines(): AsyncGenerator<Uint8Array> {
    const frames = withBeats(framesOf(c, work, exitCode), beatsEvery);
    for await (const frame of frames) {
      // What was sent before must be taken before there is more.
      if (c.get('isBehind')()) return void c.env.incoming.destroy();
      // A caller that takes nothing for long would hold what the work holds.
      const patience = setTimeout(() => c.env.incoming.destroy(), stallsAtMost);
      try {
        yield encoder.encode(frame === undefined ? format.beat : format.write(frame));
      } finally {
        clearTimeout(patience);
      }
    }
  }
  // A caller that leaves ends the generator, which releases what the work holds.
  return c.body(ReadableStream.from(lines()) as ReadableStream, 200, {
    'content-type': format.mediaType,
    'cache-control': 'no-store',
  });
}

/** The values, and undefined whenever none has come for a while. */
async function* withBeats<Value>(
  values: AsyncGenerator<Value>,
  milliseconds: number,
): AsyncGenerator<Value | undefined> {
  try {
    for (let next = values.next(); ; ) {
      let timer: NodeJS.Timeout | undefined;
      const beat = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), milliseconds);
      });
      const step = await Promise.race([next, beat]).finally(() => clearTimeout(timer));
      if (step?.done) return;
      yield step?.value;
      if (step) next = values.next();
    }
  } finally {
    await values.return(undefined);
  }
}

/** The events of the work and then its result or failure, as frames. */
export async function* framesOf(
  c: RequestOf,
  work: Work,
  exitCode: (result: unknown) => number = () => 0,
): AsyncGenerator<Frame> {
  const shown = shownBy(c);
  try {
    let step = await work.next();
    for (; !step.done; step = await work.next()) yield { event: shown(eventToData(step.value)) };
    yield { result: shown(step.value), exit_code: exitCode(step.value) };
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

/** What a caller sees of the error that its request ended with; the log has it whole. */
export function errorFor(c: RequestOf, error: QuarryError): ErrorData {
  c.set('failure', error);
  return visibleError(c, error);
}

/**
 * What a caller sees of an error. Over the network a mistake of the caller is reported without the paths of the server, and a
 * fault of the server is named, but its details stay in the log: the user of the machine finds them there by the id of
 * the request.
 */
export function visibleError(c: RequestOf, error: QuarryError, shown = shownBy(c)): ErrorData {
  const kind = errorCatalogue[error.code];
  const data = { ...errorToData(error), message: shortened(error.message, maxMessageLength) };
  if (c.get('grant')?.isOwner || kind.blames === 'caller') return shown(data);
  return {
    ...data,
    message: kind.summary,
    remedy: `Ask the operator of the server; the log has the details under ${c.get('requestId')}.`,
  };
}

/** A request that was refused before it had a grant is told nothing of the server. */
function shownBy(c: RequestOf): Shown {
  return c.get('shown') ?? ((data) => data);
}
