import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { EmbeddingServer } from './embedding-server.ts';
import type { Fault } from './fault.ts';

/** A call as the server got it. */
export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What the server sends back. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes as they are; anything else as JSON. */
  readonly body: unknown;
}

/** How one kind of service answers. */
export interface Protocol {
  /** Whether the call asks for vectors; only those meet faults. */
  isEmbedding(call: ReceivedCall): boolean;
  /** Checks a call as the service documents it and answers it, with vectors changed by the fault. */
  answer(call: ReceivedCall, fault: Fault | undefined): Reply;
  /** A refusal in the service's own format; undefined for other faults. */
  refuse(fault: Fault): Reply | undefined;
}

/** Starts a service on the loopback interface; `path` is the beginning of its paths. */
export async function startLoopbackServer(protocol: Protocol, path = ''): Promise<EmbeddingServer> {
  const calls: ReceivedCall[] = [];
  const faults: Fault[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    // A caller that has left needs no answer.
    const call = await readCall(request).catch(() => undefined);
    if (!call) return;
    const isEmbedding = protocol.isEmbedding(call);
    if (isEmbedding) calls.push(call);
    const fault = isEmbedding ? faults.shift() : undefined;
    for (const wake of waiting) wake();
    if (fault && spoilTransport(fault, response)) return;
    write(response, (fault && protocol.refuse(fault)) ?? protocol.answer(call, fault));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    calls,
    inject: (...added) => void faults.push(...added),
    received: (count) =>
      new Promise((resolve) => {
        const wake = (): void => {
          if (calls.length < count) return;
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
        wake();
      }),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readCall(request: IncomingMessage): Promise<ReceivedCall> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: Buffer.concat(parts),
  };
}

/** Faults below the protocol; false when the fault is none of them. */
function spoilTransport(fault: Fault, response: ServerResponse): boolean {
  switch (fault.kind) {
    case 'silent':
      return true;
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"begun":');
      setImmediate(() => response.destroy());
      return true;
    case 'invalid-json':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"data": [[0.1, NaN');
      return true;
    case 'endless':
      response.writeHead(200, { 'content-type': 'application/json' });
      Readable.from(endlessly(Buffer.alloc(65_536, 32))).pipe(response);
      return true;
    case 'redirect':
      response.writeHead(307, { location: fault.location });
      response.end();
      return true;
    default:
      return false;
  }
}

function* endlessly(part: Buffer): Generator<Buffer> {
  for (;;) yield part;
}

function write(response: ServerResponse, { status, headers, body }: Reply): void {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...headers,
  });
  response.end(bytes);
}

/** The body of a call as JSON; undefined when it is not JSON. */
export function jsonBody(call: ReceivedCall): unknown {
  try {
    return JSON.parse(call.body.toString('utf8'));
  } catch {
    // Not JSON.
    return undefined;
  }
}
