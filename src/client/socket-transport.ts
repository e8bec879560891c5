import type { IncomingMessage } from 'node:http';
import { QuarryError } from '../core/errors.ts';
import { answerLost, type Transport } from './transport.ts';

/** For how long an engine is waited for, in milliseconds. */
export interface Patience {
  /** Until it says that it is there. It does so before it looks at the request, however busy it is. */
  readonly acknowledges: number;
  /** Between two bytes of its answer; it sends a sign of life every few seconds. */
  readonly speaks: number;
}

/** A long transaction of the store may keep an engine from speaking for a while. */
const defaultPatience: Patience = { acknowledges: 5_000, speaks: 60_000 };

/**
 * Sends requests over a local socket or a named pipe. A body is sent when the engine has said that it is there (`100
 * Continue`): one that is paused or blocked has taken nothing, and the caller may do the work itself.
 */
export function socketTransport(socketPath: string, patience: Patience = defaultPatience): Transport {
  return ({ method, path, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      let isTaken = false;
      // An import would also load what `fetch` and WebSockets need, which takes longer than a search.
      const outgoing = process.getBuiltinModule('node:http').request({
        socketPath,
        method,
        path,
        headers: { host: 'localhost', ...headers, expect: '100-continue' },
        ...(signal && { signal }),
      });
      let silence = awaitSound(patience.acknowledges, () => outgoing.destroy(silent()));
      outgoing.once('continue', () => {
        isTaken = true;
        silence.end();
        silence = awaitSound(patience.speaks, () => outgoing.destroy(answerLost('silent')));
        outgoing.end(body);
      });
      outgoing.on('response', (incoming: IncomingMessage) => {
        silence.end();
        resolve({
          status: incoming.statusCode ?? 0,
          header: (name) => {
            const value = incoming.headers[name];
            return Array.isArray(value) ? value[0] : value;
          },
          body: partsOf(incoming, patience.speaks),
        });
      });
      outgoing.on('error', (cause) => {
        silence.end();
        reject(isTaken && !(cause instanceof QuarryError) ? answerLost(cause) : cause);
      });
      outgoing.flushHeaders();
    });
}

async function* partsOf(incoming: IncomingMessage, speaks: number): AsyncGenerator<Uint8Array> {
  const silence = awaitSound(speaks, () => incoming.destroy(answerLost('silent')));
  try {
    for await (const part of incoming) {
      silence.heard();
      yield part;
      silence.heard();
    }
  } finally {
    silence.end();
  }
}

/**
 * Calls `silent` when nothing was heard for so many milliseconds. Half of them are waited for twice: when this process itself was
 * paused, what has come meanwhile is read after the first half.
 */
function awaitSound(milliseconds: number, silent: () => void) {
  let halves = 0;
  const timer = setInterval(() => {
    halves += 1;
    if (halves === 2) silent();
  }, milliseconds / 2);
  return {
    heard() {
      halves = 0;
      timer.refresh();
    },
    end: () => clearInterval(timer),
  };
}

function silent(): QuarryError {
  return new QuarryError(
    'server-silent',
    'The Quarry engine of this user runs, but does not answer.',
    'End it with: quarry stop',
  );
}
