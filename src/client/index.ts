import { type Client, createClient } from './client.ts';
import { fetchTransport } from './transport.ts';

export type { ErrorCode } from '../core/error-catalogue.ts';
export { QuarryError } from '../core/errors.ts';
export type { EventData } from '../core/events.ts';
export type { Answer, CallOptions, Client } from './client.ts';

/** A client of the server at this address. It needs nothing but `fetch`, so it runs in a browser too. */
export function connect(url: string | URL, options: { readonly token?: string } = {}): Client {
  return createClient(fetchTransport(url, options.token));
}
