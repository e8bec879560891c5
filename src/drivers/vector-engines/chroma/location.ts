import { z } from 'zod';
import type { DriverContext } from '../../../contracts/driver.ts';
import { QuarryError } from '../../../core/errors.ts';
import { checkedAddress, requireEncryption } from '../../../platform/http/address.ts';
import { type Credentials, findCredentials, requireKey } from '../../../platform/http/credentials.ts';

const name = z.string().regex(/^[\w.-]{1,128}$/, 'is 1 to 128 letters, digits, ".", "_" or "-"');

/** What the settings say of it. */
export const chromaOptions = z.strictObject({
  url: z.string().describe('Address of the server, such as `http://localhost:8000`.'),
  collection: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/i, 'is 1 to 64 letters, digits, "_" or "-"')
    .default('quarry')
    .describe('What the names of the collections begin with.'),
  tenant: name.optional().describe('The tenant; `default_tenant` on a server of your own.'),
  database: name.optional().describe('The database; `default_database` on a server of your own.'),
  api_key: z
    .string()
    .optional()
    .describe('The key; best kept in CHROMA_API_KEY for the service, else in QUARRY_STORE_API_KEY.'),
});

export type ChromaOptions = z.output<typeof chromaOptions>;

/** Chroma's own service and the variable with its key. */
const service = { origin: 'https://api.trychroma.com', variables: ['CHROMA_API_KEY'] };

/** A database on a server. */
export interface Location {
  readonly address: URL;
  readonly tenant: string;
  readonly database: string;
  readonly credentials: Credentials;
  /** Headers that carry the key; none where there is no key. A service whose key is missing is `provider-key`. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** What the names of collections begin with. */
  readonly collection: string;
}

/** The place that the settings name. */
export function findLocation(options: ChromaOptions, { environment }: DriverContext): Location {
  const { url, collection, tenant, database, api_key } = options;
  const address = checkedAddress(url, 'store');
  requireEncryption(address, service.origin, 'store');
  const isService = address.origin === service.origin;
  if (isService && (tenant === undefined || database === undefined)) throw withoutDatabase();
  const found = findCredentials(address, environment, 'store', service);
  const credentials = api_key === undefined ? found : { ...found, value: api_key };
  return {
    address,
    collection,
    tenant: tenant ?? 'default_tenant',
    database: database ?? 'default_database',
    credentials,
    headers() {
      const key = requireKey(credentials, address.host);
      return {
        ...(key !== undefined && { 'x-chroma-token': key }),
        // Servers of one's own have a proxy before them that checks the key.
        ...(key !== undefined && !isService && { authorization: `Bearer ${key}` }),
      };
    },
  };
}

function withoutDatabase(): QuarryError {
  return new QuarryError(
    'config-invalid',
    "Chroma's service needs tenant and database, and store.chroma.tenant or store.chroma.database is not set.",
    'Set store.chroma.tenant and store.chroma.database as the page of your Chroma database shows them.',
  );
}
