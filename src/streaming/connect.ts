import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { type ErrorData, errorFromData, interrupted, messageOf, QuarryError } from '../core/errors.ts';
import { onAbort } from '../platform/abort.ts';
import { type Link, linkOf } from './link.ts';
import { streamPath } from './protocol.ts';

/** Milliseconds without a sign of life after which a server counts as gone; it gives one every five seconds. */
const silence = 16_000;
const opensWithin = 15_000;

/** The server that files are sent to. */
export interface Server {
  /** `http://` or `https://`. */
  readonly url: string;
  readonly token?: string | undefined;
}

/** Opens a connection for files; rejects with what the server said where it refuses. */
export async function connectTo({ url, token }: Server, signal?: AbortSignal): Promise<Link> {
  const address = new URL(url);
  address.protocol = address.protocol.replace('http', 'ws');
  address.pathname = address.pathname.replace(/\/+$/, '') + streamPath;
  const { WebSocket: Socket } = await import('ws');
  const socket = new Socket(address, {
    perMessageDeflate: false,
    handshakeTimeout: opensWithin,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  const ignore = onAbort(signal, () => socket.terminate());
  socket.on('close', ignore);
  try {
    await opened(socket);
  } catch (thrown) {
    throw signal?.aborted ? interrupted(signal.reason) : thrown;
  }
  watchOver(socket);
  return linkOf(socket);
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.on('error', (cause) => reject(unreachable(messageOf(cause), cause)));
    socket.once('unexpected-response', (_, response: IncomingMessage) => {
      refusalIn(response).then((error) => {
        reject(error);
        socket.terminate();
      }, reject);
    });
  });
}

/** The error in the answer of a server that opens no connection. */
async function refusalIn(response: IncomingMessage): Promise<QuarryError> {
  let text = '';
  for await (const part of response) text += part;
  try {
    return errorFromData((JSON.parse(text) as { error: ErrorData }).error);
  } catch (cause) {
    return unreachable(`it answered with the status ${response.statusCode}`, cause);
  }
}

/** A cable that is cut says nothing: a server that gives no sign of life is gone. */
function watchOver(socket: WebSocket): void {
  const timer = setTimeout(() => socket.terminate(), silence);
  const sign = (): void => {
    timer.refresh();
  };
  socket.on('ping', sign);
  socket.on('message', sign);
  socket.on('close', () => clearTimeout(timer));
}

function unreachable(why: string, cause: unknown): QuarryError {
  return new QuarryError(
    'server-unreachable',
    `The Quarry server cannot be reached: ${why}.`,
    'Check that the server runs and that its address is right.',
    { cause },
  );
}
