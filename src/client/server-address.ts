import { QuarryError } from '../core/errors.ts';
import type { Environment } from '../platform/environment.ts';

/** A server that a user has named: text may be sent there. */
export interface ServerAddress {
  /** `http://` or `https://`, without a slash at the end. */
  readonly url: string;
  readonly token?: string;
}

/** Variables that name the server; the second is that of other retrieval services. */
const variables = ['QUARRY_SERVER', 'FRAG_SERVICE_URL'] as const;

/**
 * The server that a command is meant for, by its flag or by the environment; undefined where none is named. No file of a
 * project has a say in it: what comes with a cloned folder sends nothing anywhere.
 */
export function serverInUse(environment: Environment, given?: string): ServerAddress | undefined {
  const origin = given === undefined ? variables.find((name) => environment(name)) : '--server';
  const text = given ?? (origin && environment(origin));
  if (text === undefined || origin === undefined) return undefined;
  const address = URL.parse(text);
  const isWeb = address && ['http:', 'https:'].includes(address.protocol) && address.hostname !== '';
  if (!isWeb || address.username !== '' || address.password !== '') {
    // The invalid value may hold a password, so the message does not repeat it.
    throw new QuarryError(
      'usage-invalid',
      `${origin} is not an http or https address without a password.`,
      'Write it as https://host:port, and set QUARRY_TOKEN to the token.',
    );
  }
  const token = environment('QUARRY_TOKEN');
  const url = `${address.origin}${address.pathname}`.replace(/\/+$/, '');
  return { url, ...(token !== undefined && { token }) };
}

/** Whether a server is on this machine. */
export function isOnThisMachine({ url }: ServerAddress): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}

/** What to tell a user whose token anyone between here and the server can read. */
export function tokenInClear(server: ServerAddress): string | undefined {
  if (server.token === undefined || server.url.startsWith('https:') || isOnThisMachine(server))
    return undefined;
  return `The token travels unencrypted to ${new URL(server.url).host}. Use https outside of a private network.`;
}

/** The name of a folder's project on a server, where none is given: that of the folder, in the letters that names have. */
export function projectNameOf(folder: string): string {
  const name = folder.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  return (
    name
      .replace(/[^a-z0-9._-]+/gi, '-')
      .replace(/^[^a-z0-9]+/i, '')
      .slice(0, 64) || 'project'
  );
}
