import { QuarryError } from '../../../core/errors.ts';
import type { RequestOf } from './request-context.ts';

/** Bytes that must have come between two looks at it, until the end of the body … */
const minBytes = 16 * 1024;
/** … and looks in vain after which its sender is cut off. One alone says nothing: the server may have been busy. */
const looksInVain = 2;

/**
 * The bytes of a body as they arrive. They are counted then, since a caller may announce less than it sends, against
 * the largest body of this request and against all bodies of the server, until the request is answered.
 */
export async function* readBody(c: RequestOf, maxBytes: number): AsyncGenerator<Uint8Array> {
  const { incoming } = c.env;
  const { hold, looksEvery } = c.get('body');
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  let bytes = 0;
  let isSlow = false;
  const stopLooking = lookAtPace(
    looksEvery,
    () => bytes,
    () => {
      isSlow = true;
      incoming.destroy();
    },
  );
  try {
    // Where it is left early, the connection stays for the answer.
    for await (const part of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      bytes += part.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      hold(part.length);
      yield part;
    }
  } catch (thrown) {
    if (isSlow) throw tooSlow();
    if (thrown instanceof QuarryError || !incoming.destroyed) throw thrown;
    throw leftEarly(thrown);
  } finally {
    stopLooking();
  }
}

/** Calls back once when the bytes come too slowly; returns how to stop looking. */
function lookAtPace(every: number, bytes: () => number, onSlow: () => void): () => void {
  let before = 0;
  let inVain = 0;
  const timer = setInterval(() => {
    inVain = bytes() - before < minBytes ? inVain + 1 : 0;
    before = bytes();
    if (inVain < looksInVain) return;
    clearInterval(timer);
    onSlow();
  }, every);
  return () => clearInterval(timer);
}

function tooLarge(maxBytes: number): QuarryError {
  return new QuarryError(
    'request-too-large',
    `The body is larger than ${maxBytes} bytes.`,
    'Send less at once.',
  );
}

function tooSlow(): QuarryError {
  return new QuarryError('request-too-long', 'The body arrives too slowly.', 'Send it again, faster.');
}

function leftEarly(cause: unknown): QuarryError {
  return new QuarryError(
    'interrupted',
    'The caller disconnected before its request was complete.',
    'Send it again.',
    { cause },
  );
}
