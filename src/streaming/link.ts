import type { WebSocket } from 'ws';
import { QuarryError } from '../core/errors.ts';

/** A connection on which each side says one thing after another. */
export interface Link {
  /** The next message, or undefined when the other side has left; rejects with `server-unreachable` after this time. */
  next(milliseconds: number): Promise<string | Uint8Array | undefined>;
  /** Messages that have come and were not read yet. */
  readonly waiting: number;
  /** Resolves when the system has taken the message: a slow reader slows the writer down. */
  send(message: object | Uint8Array): Promise<void>;
  /** Aborted when the connection is gone. */
  readonly signal: AbortSignal;
  close(code?: number, reason?: string): void;
}

/** Messages that are held before the other side is no longer read … */
const maxHeld = 8;
/** … and their bytes. */
const maxHeldBytes = 4 * 1024 * 1024;

/** The link over a WebSocket that is open; `check` rejects where nothing more of the other side counts. */
export function linkOf(socket: WebSocket, check: () => Promise<void> = async () => undefined): Link {
  const messages: (string | Uint8Array)[] = [];
  let heldBytes = 0;
  const isFull = (): boolean => messages.length >= maxHeld || heldBytes >= maxHeldBytes;
  const gone = new AbortController();
  let wake = (): void => undefined;
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    messages.push(isBinary ? data : data.toString());
    heldBytes += data.length;
    if (isFull()) socket.pause();
    wake();
  });
  socket.on('close', () => {
    gone.abort();
    wake();
  });
  // A close follows, which is what counts.
  socket.on('error', () => undefined);
  if (socket.readyState === socket.CLOSED) gone.abort();

  return {
    signal: gone.signal,
    get waiting() {
      return messages.length;
    },
    async next(milliseconds) {
      if (messages.length === 0 && !gone.signal.aborted) {
        let isLate = false;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(() => {
            isLate = true;
            resolve();
          }, milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        if (isLate && messages.length === 0) throw silent(milliseconds);
      }
      await check();
      const message = messages.shift();
      heldBytes = messages.length === 0 ? 0 : heldBytes - (message?.length ?? 0);
      if (!isFull() && socket.isPaused) socket.resume();
      return message;
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        const data = message instanceof Uint8Array ? message : JSON.stringify(message);
        socket.send(data, (failure) => {
          if (failure) reject(cut(failure));
          else resolve();
        });
      }),
    close(code = 1000, reason = '') {
      // A reason has at most 123 bytes.
      socket.close(code, reason.slice(0, 40));
    },
  };
}

function silent(milliseconds: number): QuarryError {
  return new QuarryError(
    'server-unreachable',
    `The other side has sent nothing for ${Math.round(milliseconds / 1000)} seconds.`,
    'Check the connection, then push again: what has arrived is not sent again.',
  );
}

/** The error for a connection that was cut. */
export function cut(cause?: unknown): QuarryError {
  return new QuarryError(
    'server-unreachable',
    'The connection was cut before everything was sent.',
    'Check the connection, then push again: what has arrived is not sent again.',
    { cause },
  );
}
