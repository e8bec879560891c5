import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type ChatProtocolName, chatProtocols, type WrittenTurn } from './chat-protocols.ts';

/** One way in which a service can fail a call. */
export type ChatFault =
  /** Answers with this status, in the service's own format. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly words?: string;
      readonly retryAfter?: string;
    }
  /** Closes the connection after some pieces. */
  | { readonly kind: 'cut' }
  /** Ends the stream after some pieces, without the mark of its end. */
  | { readonly kind: 'no-end' }
  /** Sends an event that is not JSON. */
  | { readonly kind: 'malformed' }
  /** Sends an event of the failure that the service documents, after some pieces. */
  | { readonly kind: 'error-event' }
  /** Answers with a page instead of a stream. */
  | { readonly kind: 'page' }
  /** Accepts the call and never answers. */
  | { readonly kind: 'silent' }
  /** Sends some pieces, then nothing more. */
  | { readonly kind: 'stuck' }
  /** Redirects the caller. */
  | { readonly kind: 'redirect'; readonly location: string };

/** A call as the service got it. */
export interface ReceivedChat {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly model: string;
  readonly messages: readonly WrittenTurn[];
  readonly body: Readonly<Record<string, unknown>>;
}

/** A service that writes text, on loopback. */
export interface ChatServer {
  readonly url: string;
  readonly port: number;
  readonly calls: readonly ReceivedChat[];
  /** Whether a caller left before the end. */
  readonly left: () => number;
  /** Faults of the next calls, in order. */
  inject(...faults: ChatFault[]): void;
  close(): Promise<void>;
}

/** How the service answers. */
export interface ChatServerOptions {
  readonly protocol: ChatProtocolName;
  /** The pieces of the answer. */
  readonly write: (call: ReceivedChat) => readonly string[];
  readonly key?: string;
  /** What it lists as its models. */
  readonly models?: readonly string[];
  /** What it waits for after each piece, by how many it has written. */
  readonly afterPiece?: (written: number) => Promise<unknown> | undefined;
}

/** Starts a service that speaks a protocol as it is documented. */
export async function startChatServer(options: ChatServerOptions): Promise<ChatServer> {
  const { protocol: name, write, key, models = ['test-model'], afterPiece } = options;
  const protocol = chatProtocols[name];
  const calls: ReceivedChat[] = [];
  const faults: ChatFault[] = [];
  let left = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET' && request.url?.endsWith('/models')) {
      json(response, 200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
      return;
    }
    const body = JSON.parse((await textOf(request)) || '{}') as Record<string, unknown>;
    const asked = request.method === 'POST' ? protocol.understand(request.url ?? '', body) : undefined;
    if (!asked) return json(response, 404, protocol.refusal(404, 'not found'));
    if (key !== undefined && protocol.keyOf(request.headers) !== key)
      return json(response, 401, protocol.refusal(401, 'invalid key'));
    const call = { ...asked, path: request.url ?? '', headers: request.headers, body };
    calls.push(call);
    const fault = faults.shift();
    if (fault && spoilBeginning(fault, response, protocol.refusal)) return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.on('close', () => {
      if (!response.writableEnded) left += 1;
    });
    response.write(protocol.begin);
    for (const [index, piece] of write(call).entries()) {
      if (index === 2 && fault && (await spoilMiddle(fault, response, protocol.failure))) return;
      response.write(protocol.piece(piece));
      await afterPiece?.(index + 1);
      if (response.destroyed) return;
    }
    response.end(protocol.end);
  };

  const server = createServer((request, response) => {
    // A caller that has left needs no answer.
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${protocol.base}`,
    port,
    calls,
    left: () => left,
    inject: (...added) => void faults.push(...added),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Faults instead of a stream; false where the fault is none of them. */
function spoilBeginning(
  fault: ChatFault,
  response: ServerResponse,
  refusal: (status: number, words: string) => object,
): boolean {
  switch (fault.kind) {
    case 'refused':
      if (fault.retryAfter) response.setHeader('retry-after', fault.retryAfter);
      json(response, fault.status, refusal(fault.status, fault.words ?? 'no'));
      return true;
    case 'page':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html><body>Welcome</body></html>');
      return true;
    case 'redirect':
      response.writeHead(307, { location: fault.location });
      response.end();
      return true;
    case 'silent':
      return true;
    default:
      return false;
  }
}

/** Faults after some pieces; false where the fault is none of them. */
async function spoilMiddle(fault: ChatFault, response: ServerResponse, failure: string): Promise<boolean> {
  // What was written before is on its way when the rest fails.
  await pause(20);
  if (fault.kind === 'cut') response.destroy();
  else if (fault.kind === 'no-end') response.end();
  else if (fault.kind === 'malformed') response.end('data: {"half": \n\n');
  else if (fault.kind === 'error-event') response.end(failure);
  return true;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}
