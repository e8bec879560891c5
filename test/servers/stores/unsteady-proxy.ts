import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** What happens to a request: it is passed on, lost, answered with a status, or passed on later: after some milliseconds, or something else. */
export type Weather =
  | 'fair'
  | 'lost'
  | { readonly status: number }
  | { readonly delay: number }
  | { readonly after: Promise<unknown> };

/** A way to a server on which requests can be lost, refused or slowed down. */
export interface UnsteadyProxy {
  readonly url: string;
  /** Decides over each request from now on. */
  weather: (request: IncomingMessage) => Weather;
  close(): Promise<void>;
}

/** Opens a port that passes everything on to the address. */
export async function startProxy(target: () => string): Promise<UnsteadyProxy> {
  const server = createServer((incoming, outgoing) => {
    const weather = proxy.weather(incoming);
    if (weather === 'lost') incoming.socket.destroy();
    else if (weather === 'fair') passOn(target(), incoming, outgoing);
    else if ('delay' in weather) setTimeout(() => passOn(target(), incoming, outgoing), weather.delay);
    else if ('after' in weather) void weather.after.finally(() => passOn(target(), incoming, outgoing));
    else outgoing.writeHead(weather.status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const proxy: UnsteadyProxy = {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    weather: () => 'fair',
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

function passOn(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url = '/', headers } = incoming;
  const forwarded = request(new URL(url, target), { method: method ?? 'GET', headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on('error', () => incoming.socket.destroy());
  incoming.pipe(forwarded);
}
