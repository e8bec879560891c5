import type { IncomingMessage } from 'node:http';
import type { Transport } from './transport.ts';

/** Sends requests over a local socket or a named pipe. */
export function socketTransport(socketPath: string): Transport {
  return ({ method, path, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      // An import would also load what `fetch` and WebSockets need, which takes longer than a search.
      const outgoing = process.getBuiltinModule('node:http').request(
        {
          socketPath,
          method,
          path,
          headers: { host: 'localhost', ...headers },
          ...(signal && { signal }),
        },
        (incoming: IncomingMessage) =>
          resolve({
            status: incoming.statusCode ?? 0,
            header: (name) => {
              const value = incoming.headers[name];
              return Array.isArray(value) ? value[0] : value;
            },
            body: incoming,
          }),
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
}
