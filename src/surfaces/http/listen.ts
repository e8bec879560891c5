import { chmod, rm, stat } from 'node:fs/promises';
import { createServer as createPlainServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { messageOf, QuarryError } from '../../core/errors.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import type { RequestContext } from './request-context.ts';
import { asksForSocket, offerWebSockets, type WebSockets } from './web-sockets.ts';

/** Bounds on what one server takes at once. */
const bounds = {
  // A client that sends its headers or its body byte by byte is cut off.
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
} as const;
const maximumConnections = 1_000;

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
  /** Takes no more connections, lets answers under way end, and cuts those that take too long. */
  close(): Promise<void>;
}

/** Answers requests at this place. */
export async function listen(app: Hono<RequestContext>, place: Place): Promise<Listening> {
  const way = 'socket' in place ? 'socket' : 'network';
  const answer = getRequestListener((request, env) => app.fetch(request, { ...env, way }), {
    overrideGlobalObjects: false,
  }) as RequestListener;
  const tls = 'tls' in place ? place.tls : undefined;
  const options = { ...bounds, shouldUpgradeCallback: asksForSocket };
  const server = tls ? createTlsServer({ ...options, ...tls }, answer) : createPlainServer(options, answer);
  server.maxConnections = maximumConnections;
  const webSockets = offerWebSockets(server, app, way);
  if ('socket' in place) await prepareSocket(place.socket);
  await begin(server, place);
  if ('socket' in place && process.platform !== 'win32') await chmod(place.socket, 0o600);
  return { address: addressOf(server, place), server, close: () => end(server, webSockets) };
}

/** Makes the folder of the socket the user's own, and removes a socket that a killed process left. */
async function prepareSocket(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = dirname(path);
  await makeFolder(folder, 0o700);
  const { uid, mode } = await stat(folder);
  if (uid !== process.getuid?.()) {
    throw new QuarryError(
      'access-denied',
      `The folder ${folder} belongs to another user.`,
      'Remove it, or set QUARRY_CACHE_FOLDER to a folder of your own.',
    );
  }
  if ((mode & 0o077) !== 0) await chmod(folder, 0o700);
  await rm(path, { force: true });
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
    if ('socket' in place) server.listen(place.socket, () => resolve());
    else server.listen(place.port, place.host, () => resolve());
  });
}

function addressOf(server: Server, place: Place): string {
  if ('socket' in place) return place.socket;
  const { address, port, family } = server.address() as AddressInfo;
  return `${place.tls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

async function end(server: Server, webSockets: WebSockets): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  webSockets.close();
  const patience = setTimeout(() => {
    server.closeAllConnections();
    webSockets.terminate();
  }, endsWithin);
  await closed;
  clearTimeout(patience);
}
