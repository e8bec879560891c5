import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Hono } from 'hono';
import { type WebSocket, WebSocketServer } from 'ws';
import { QuarryError } from '../../core/errors.ts';
import type { RequestContext, RequestOf } from './requests/request-context.ts';

/** Milliseconds between two signs of life that are asked of a caller … */
const asksEvery = 5_000;
/** … which is cut off after so many in vain. */
const asksInVain = 3;

/** The largest message in bytes. */
export const largestMessage = 8 * 1024 * 1024;

/** Talks with a caller over its connection until that closes. */
export type Conversation = (socket: WebSocket) => void;

/** Connections that stay open in both directions. */
export interface WebSockets {
  /** Says goodbye to every caller. */
  close(): void;
  /** Cuts every connection. */
  terminate(): void;
}

/**
 * Opens the connection of a request that asks for one, after the guard and the route have let it pass. Its conversation
 * begins when the caller has been told.
 */
export function answerWithSocket(c: RequestOf, conversation: Conversation): Response {
  const { upgrade } = c.env;
  if (!upgrade) {
    throw new QuarryError(
      'usage-invalid',
      'This address talks over a WebSocket.',
      'Ask with "Upgrade: websocket".',
    );
  }
  upgrade.conversation = conversation;
  return c.body(null, 200);
}

/** Whether a request asks to keep the connection. What asks for another protocol is answered over this one. */
export function asksForSocket({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** Lets requests for a WebSocket take the same way as all others: guard, log, limits, routes. */
export function offerWebSockets(
  server: Server,
  app: Hono<RequestContext>,
  way: RequestContext['Bindings']['way'],
): WebSockets {
  // Messages are compressed by those who know their size; a library would inflate before it counts.
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessage,
    perMessageDeflate: false,
  });
  server.on('upgrade', (incoming, socket, head) => {
    socket.on('error', () => socket.destroy());
    answer(incoming, socket, head).catch(() => socket.destroy());
  });

  async function answer(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const upgrade: { conversation?: Conversation } = {};
    const outgoing = new ServerResponse(incoming);
    const env = { incoming, outgoing, way, ...(asksForSocket(incoming) && { upgrade }) };
    const response = await app.fetch(requestOf(incoming), env);
    const { conversation } = upgrade;
    if (conversation && response.ok)
      sockets.handleUpgrade(incoming, socket, head, (opened) => {
        watchOver(opened, incoming.socket);
        conversation(opened);
      });
    else await refuse(outgoing, socket, response);
  }

  return {
    close() {
      for (const socket of sockets.clients) socket.close(1001, 'The server is ending.');
    },
    terminate() {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

/** Cuts a caller off that no longer answers, or that breaks the protocol. */
function watchOver(opened: WebSocket, socket: Socket): void {
  let bytes = -1;
  let inVain = 0;
  const timer = setInterval(() => {
    // Any byte is a sign of life: on a slow line the answer waits behind a long message.
    inVain = socket.bytesRead === bytes ? inVain + 1 : 0;
    bytes = socket.bytesRead;
    if (inVain >= asksInVain) opened.terminate();
    else opened.ping();
  }, asksEvery);
  timer.unref();
  opened.on('close', () => clearInterval(timer));
  // The library closes the connection by itself, with the code that says why.
  opened.on('error', () => undefined);
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
