import { statSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import {
  createServer as createPlainServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { messageOf, QuarryError } from '../../core/errors.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { ensureOwnFolder } from '../../platform/own-files.ts';
import type { RequestContext } from './requests/request-context.ts';
import { boundStrangers } from './strangers.ts';
import { type Arrival, asksForSocket, offerWebSockets, type WebSockets } from './web-sockets.ts';

/** Bounds on what one server takes at once, in milliseconds and connections. */
export interface Bounds {
  /** For all headers of a request: a client that sends them byte by byte is cut off. */
  readonly headersTimeout: number;
  /** For a whole request, body included. */
  readonly requestTimeout: number;
  /** Between two requests on one connection. */
  readonly keepAliveTimeout: number;
  /** Without a byte in either direction: no answer takes longer, and a caller that reads nothing is cut off. */
  readonly timeout: number;
  readonly connectionsCheckingInterval: number;
  readonly maxConnections: number;
  /** Connections of one address on which nobody has shown a token yet. */
  readonly maxStrangers: number;
}

const defaultBounds: Bounds = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 5_000,
  timeout: 11 * 60_000,
  connectionsCheckingInterval: 1_000,
  maxConnections: 1_000,
  maxStrangers: 250,
};

/** Milliseconds that answers under way get when a server ends. */
const endsWithin = 10_000;

/** Where a server listens. */
export type Place =
  | { readonly socket: string }
  | {
      readonly host: string;
      /** 0 for any free one. */
      readonly port: number;
      readonly tls?: { readonly cert: string; readonly key: string };
    };

/** A server that listens. */
export interface Listening {
  /** `http://127.0.0.1:8001`, or the path of the socket. */
  readonly address: string;
  readonly server: Server;
  /** Whether nobody finds it any more: its socket was removed, or is another's by now. */
  isLost(): boolean;
  /** Takes no more connections, lets answers under way end, and cuts those that take too long. */
  close(): Promise<void>;
}

/** Answers requests at this place. */
export async function listen(
  app: Hono<RequestContext>,
  place: Place,
  given: Partial<Bounds> = {},
): Promise<Listening> {
  const { maxConnections, maxStrangers, timeout, ...bounds } = { ...defaultBounds, ...given };
  const way = 'socket' in place ? 'socket' : 'network';
  let arrival: Arrival = { way };
  const answer = getRequestListener((request, env) => app.fetch(request, { ...env, ...arrival }), {
    overrideGlobalObjects: false,
  }) as RequestListener;
  const tls = 'tls' in place ? place.tls : undefined;
  const options = { ...bounds, shouldUpgradeCallback: asksForSocket(app) };
  const server = tls
    ? secureServer({ ...options, ...tls, handshakeTimeout: bounds.headersTimeout }, answer)
    : createPlainServer(options, answer);
  acknowledgeInTurn(server);
  server.maxConnections = maxConnections;
  server.timeout = timeout;
  if (way === 'network') arrival = { way, strangers: boundStrangers(server, maxStrangers) };
  const webSockets = offerWebSockets(server, app, arrival);
  if ('socket' in place) await prepareSocket(place.socket);
  await begin(server, place);
  try {
    if ('socket' in place && process.platform !== 'win32') await chmod(place.socket, 0o600);
  } catch (thrown) {
    await end(server, webSockets);
    throw thrown;
  }
  const socket = 'socket' in place ? identityOf(place.socket) : undefined;
  return {
    address: addressOf(server, place),
    server,
    isLost: () => 'socket' in place && identityOf(place.socket) !== socket,
    close: () => end(server, webSockets),
  };
}

/**
 * Says `100 Continue` to a request when its turn on the connection has come, if it is not answered by then. Where the answer
 * before it was not sent to its end yet, Node.js would send it between the head and the body of the next. The request itself
 * does not wait: only answers that wait for their turn keep Node.js from reading more and more requests of a connection. One
 * that was answered without it is the last of its connection.
 */
function acknowledgeInTurn(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (response.socket) response.writeContinue();
    else response.once('socket', () => response.headersSent || response.writeContinue());
    server.emit('request', request, response);
  });
}

function secureServer(options: ServerOptions, answer: RequestListener): Server {
  try {
    return createTlsServer(options, answer);
  } catch (cause) {
    throw new QuarryError(
      'usage-invalid',
      `The certificate and its key cannot be used: ${messageOf(cause)}.`,
      'Give --tls-cert and --tls-key files in PEM that belong together.',
      { cause },
    );
  }
}

/** Makes the folder of the socket the user's own, and removes a socket that a killed process left. */
async function prepareSocket(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = dirname(path);
  await makeFolder(dirname(folder), 0o700);
  ensureOwnFolder(folder);
  await rm(path, { force: true });
}

/** Names a socket among all that ever had its path; undefined where there is none, and for the pipes of Windows. */
function identityOf(path: string): string | undefined {
  if (process.platform === 'win32') return undefined;
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino} ${found.birthtimeMs}`;
}

function begin(server: Server, place: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new QuarryError(
          'usage-invalid',
          `Cannot listen at ${'socket' in place ? place.socket : `${place.host}:${place.port}`}: ${messageOf(cause)}.`,
          'Choose another address with --host or --port.',
          { cause },
        ),
      ),
    );
    const begun = (): void => {
      // A connection that cannot be accepted, for want of file handles say, is no reason to end.
      server.on('error', () => undefined);
      resolve();
    };
    if ('socket' in place) server.listen(place.socket, begun);
    else server.listen(place.port, place.host, begun);
  });
}

function addressOf(server: Server, place: Place): string {
  if ('socket' in place) return place.socket;
  const { address, port, family } = server.address() as AddressInfo;
  return `${place.tls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

async function end(server: Server, webSockets: WebSockets): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  webSockets.close();
  // A connection whose last answer is still on its way becomes idle later, and would be kept open for its caller.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const patience = setTimeout(() => {
    server.closeAllConnections();
    webSockets.terminate();
  }, endsWithin);
  await closed;
  clearInterval(idle);
  clearTimeout(patience);
}
