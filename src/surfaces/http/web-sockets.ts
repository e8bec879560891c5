import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Hono } from 'hono';
import { type WebSocket, WebSocketServer } from 'ws';
import { QuarryError } from '../../core/errors.ts';
import type { Conversation, RequestContext, RequestOf } from './requests/request-context.ts';

/** Milliseconds between two signs of life that are asked of a caller … */
const asksEvery = 5_000;
/** … which is cut off after so many in vain. */
const asksInVain = 3;

/** The largest message in bytes. */
export const maxMessageSize = 8 * 1024 * 1024;

/** Bytes of a message before long ones are taken. */
const maxShortSize = 4 * 1024;

/** How requests come to a server. */
export type Arrival = Pick<RequestContext['Bindings'], 'way' | 'strangers'>;

/** Routes that talk over a WebSocket. */
const talking = new WeakSet<object>();

/**
 * Marks a route as one that talks over a WebSocket. A request to any other is answered as if it had not asked for one:
 * there, work ends when its caller leaves.
 */
export function talks<Handler extends (c: RequestOf) => Response | Promise<Response>>(
  handler: Handler,
): Handler {
  talking.add(handler);
  return handler;
}

/** Connections that stay open in both directions. */
export interface WebSockets {
  /** Says goodbye to every caller. */
  close(): void;
  /** Cuts every connection. */
  terminate(): void;
}

/**
 * Opens the connection of a request that asks for one, after the guard and the route have let it pass. Its conversation
 * begins when the caller has been answered.
 */
export function answerWithSocket(c: RequestOf, conversation: Conversation): Response {
  const { upgrade } = c.env;
  if (!upgrade) {
    throw new QuarryError(
      'usage-invalid',
      'This address needs a WebSocket.',
      'Ask with "Upgrade: websocket".',
    );
  }
  upgrade.conversation = conversation;
  return c.body(null, 200);
}

/** Whether a request asks to keep the connection, of a route that does. What asks for another protocol is answered over this one. */
export function asksForSocket(app: Hono<RequestContext>): (incoming: IncomingMessage) => boolean {
  const paths = app.routes
    .filter(({ method, handler }) => method === 'GET' && talking.has(handler))
    .map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`));
  return ({ method, url = '', headers }) =>
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    paths.some((path) => path.test(url.split('?')[0] ?? ''));
}

/** Lets requests for a WebSocket take the same way as all others: guard, log, limits, routes. */
export function offerWebSockets(server: Server, app: Hono<RequestContext>, arrival: Arrival): WebSockets {
  // Messages are compressed by those who know their size; a library would inflate before it counts.
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageSize,
    perMessageDeflate: false,
  });
  server.on('upgrade', (incoming, socket, head) => {
    socket.on('error', () => socket.destroy());
    // Nothing can be said on a connection that was to become another one.
    answer(incoming, socket, head).catch(() => socket.destroy());
  });

  async function answer(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const upgrade: { conversation?: Conversation } = {};
    const outgoing = new ServerResponse(incoming);
    const env = { incoming, outgoing, ...arrival, upgrade };
    const response = await app.fetch(requestOf(incoming), env);
    const { conversation } = upgrade;
    if (conversation && response.ok)
      sockets.handleUpgrade(incoming, socket, head, (opened) => {
        conversation(opened, watchOver(opened, incoming.socket));
      });
    else await refuse(outgoing, socket, response);
  }

  return {
    close() {
      for (const socket of sockets.clients) socket.close(1001, 'The server is shutting down.');
    },
    terminate() {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

/** Cuts a caller off that no longer answers, or that breaks the protocol; returns what lets long messages in. */
function watchOver(opened: WebSocket, socket: Socket): () => void {
  let bytes = -1;
  let inVain = 0;
  const timer = setInterval(() => {
    // Any byte is a sign of life: on a slow line the answer waits behind a long message.
    // One that is not read from has no chance to give any.
    inVain = socket.bytesRead === bytes && !opened.isPaused ? inVain + 1 : 0;
    bytes = socket.bytesRead;
    if (inVain >= asksInVain) opened.terminate();
    else opened.ping();
  }, asksEvery);
  timer.unref();
  opened.on('close', () => clearInterval(timer));
  // The library closes the connection by itself, with the code that says why.
  opened.on('error', () => undefined);
  let unfinished = 0;
  const count = (part: Uint8Array): void => {
    unfinished += part.length;
    if (unfinished > maxShortSize) opened.close(1009);
    if (unfinished > 2 * maxShortSize) opened.terminate();
  };
  const finished = (): void => {
    unfinished = 0;
  };
  // The library holds the parts of a message until it has come whole.
  socket.on('data', count);
  for (const event of ['message', 'ping', 'pong']) opened.on(event, finished);
  return () => socket.off('data', count);
}

function requestOf({ url = '/', method = 'GET', headers }: IncomingMessage): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? (value[0] ?? '') : value] as [string, string]],
  );
  return new Request(`http://localhost${url.startsWith('/') ? url : '/'}`, { method, headers: pairs });
}

/** Answers as to any other request, and ends the connection. */
async function refuse(outgoing: ServerResponse, socket: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  outgoing.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
  outgoing.shouldKeepAlive = false;
  outgoing.on('finish', () => socket.end());
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(body);
}
