import { join } from 'node:path';
import { z } from 'zod';
import type { DriverContext } from '../../../contracts/driver.ts';
import { QuarryError } from '../../../core/errors.ts';
import { postgresOrigin } from '../../../platform/postgres-origin.ts';
import { requireStoreConsent } from '../store-consent.ts';

/** The settings of the driver. */
export const postgresOptions = z.strictObject({
  url: z
    .string()
    .describe('Address of the database: `postgres://user@host:5432/database`, maybe with `?sslmode=…`.'),
  collection: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,39}$/i, 'is 1 to 40 letters, digits, ".", "_" or "-"')
    .describe(
      'The name of the project in that database; every machine that shares the index gives the same.',
    ),
  api_key: z.string().optional().describe('The password; best kept in QUARRY_STORE_API_KEY.'),
});

export type PostgresOptions = z.output<typeof postgresOptions>;

/** How a certificate is checked: not at all without encryption, by name and issuer where the server is elsewhere. */
type Encryption = false | 'require' | 'verify-full';

/** A database and how it is reached. */
export interface Address {
  /** A name, an IP address, or the folder of a local socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly ssl: Encryption;
  /** For people: without user and password. */
  readonly shown: string;
}

const encryptions: Readonly<Record<string, Encryption>> = {
  disable: false,
  require: 'require',
  'verify-ca': 'verify-full',
  'verify-full': 'verify-full',
};

/** Reads `store.url`. What is wrong with it is said without repeating it, since it may hold a password. */
export function databaseAddress(
  { url, api_key: key }: Pick<PostgresOptions, 'url' | 'api_key'>,
  environment: DriverContext['environment'],
): Address {
  const parsed = /^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? '') ? URL.parse(url) : null;
  if (!parsed) throw invalid('is not the address of a PostgreSQL database.');
  const database = decoded(parsed.pathname.slice(1));
  const socket = parsed.searchParams.get('host');
  const host = socket ?? decoded(parsed.hostname).replace(/^\[|\]$/g, '');
  if (host === '' || database === '') throw invalid('names no host or no database.');
  const user = decoded(parsed.username) || environment('USER') || 'postgres';
  const isLocal = host.startsWith('/') || isLoopback(host);
  const mode = parsed.searchParams.get('sslmode') ?? (isLocal ? 'disable' : 'verify-full');
  const ssl = Object.hasOwn(encryptions, mode) ? encryptions[mode] : undefined;
  if (ssl === undefined)
    throw invalid(`has an unknown sslmode; there are ${Object.keys(encryptions).join(', ')}.`);
  const port = Number(parsed.port || 5432);
  return {
    host,
    port,
    database,
    user,
    password: key || decoded(parsed.password) || environment('QUARRY_STORE_API_KEY')?.trim() || undefined,
    ssl,
    shown: `${host.startsWith('/') ? host : `${parsed.hostname}:${port}`}/${database}`,
  };
}

/** Fails unless text may go there; a socket never leaves the machine. */
export async function requireConsent({ host, port }: Address, context: DriverContext): Promise<void> {
  const isSocket = host.startsWith('/');
  const name = isSocket ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const socket = isSocket ? join(host, `.s.PGSQL.${port}`) : undefined;
  const address = postgresOrigin(`${name}:${port}`);
  if (!address) throw invalid('names a host that no address has.');
  await requireStoreConsent(context, address, socket);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalid('has a "%" that stands for no character; write it as %25.');
  }
}

function invalid(what: string): QuarryError {
  return new QuarryError(
    'config-invalid',
    `store.url ${what}`,
    'Set store.url to an address like postgres://user@host:5432/database.',
  );
}
