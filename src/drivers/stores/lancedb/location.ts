import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import type { DriverContext } from '../../../contracts/driver.ts';
import { QuarryError } from '../../../core/errors.ts';
import { checkedAddress } from '../../../platform/http/address.ts';

/** What the settings say of it. */
export const lanceOptions = z.strictObject({
  url: z
    .string()
    .min(1)
    .optional()
    .describe('A folder, `s3://BUCKET/PATH`, `az://CONTAINER/PATH` or `db://DATABASE`.'),
  collection: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/i, 'is 1 to 64 letters, digits, "_" or "-"')
    .optional()
    .describe('The name of this project among those that share the place.'),
  api_key: z.string().optional().describe('The key of `db://`; best kept in LANCEDB_API_KEY.'),
});

/** Where an index is kept, as the settings say it. */
export type LanceOptions = z.output<typeof lanceOptions>;

/** Where the tables are. */
export interface Location {
  /** As LanceDB takes it. */
  readonly uri: string;
  /** The folder, where it is one of this machine. */
  readonly folder?: string;
  /** Whether that folder is in the state folder of the project. */
  readonly isInState?: boolean;
  /** Whether that is in the folder of the project, which others may have written. */
  readonly isInProject: boolean;
  /** The address that texts are sent to, where it is none. */
  readonly address?: URL;
  readonly storage: Readonly<Record<string, string>>;
  readonly key?: string;
  /** Before the names of all tables of this project. */
  readonly collection: string;
}

/** Variables that LanceDB's object stores know, by the name of their setting there. */
const variables = {
  s3: {
    AWS_ACCESS_KEY_ID: 'aws_access_key_id',
    AWS_SECRET_ACCESS_KEY: 'aws_secret_access_key',
    AWS_SESSION_TOKEN: 'aws_session_token',
    AWS_DEFAULT_REGION: 'aws_region',
    AWS_REGION: 'aws_region',
    AWS_ENDPOINT: 'aws_endpoint',
    AWS_ENDPOINT_URL: 'aws_endpoint',
  },
  az: {
    AZURE_STORAGE_ACCOUNT_NAME: 'azure_storage_account_name',
    AZURE_STORAGE_ACCOUNT_KEY: 'azure_storage_account_key',
    AZURE_STORAGE_SAS_TOKEN: 'azure_storage_sas_token',
    AZURE_STORAGE_ENDPOINT: 'azure_storage_endpoint',
  },
} as const;

/** The place that the settings name; in the state folder where they name none. */
export function findLocation({ url, collection, api_key }: LanceOptions, context: DriverContext): Location {
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]+):\/\/(.*)$/i.exec(url ?? '') ?? [];
  if (scheme === undefined) {
    const project = projectState(context.stateFolder);
    const folder =
      url === undefined ? join(project, 'lancedb') : isAbsolute(url) ? url : resolve(dirname(project), url);
    const isInState = url === undefined;
    const inProject = relative(dirname(project), folder);
    const isInProject = !isAbsolute(inProject) && !/^\.\.(?:[\\/]|$)/.test(inProject);
    return { uri: folder, folder, isInState, isInProject, storage: {}, collection: collection ?? 'quarry' };
  }
  if (collection === undefined) throw withoutCollection(String(url));
  const host = rest.split('/')[0] ?? '';
  if (host === '' || host.includes('@')) throw unknownPlace();
  const read = (name: string) => context.environment(name)?.trim() || undefined;
  const place = { uri: String(url), collection, isInProject: false };
  if (scheme === 's3') {
    const storage = storageOptions('s3', read);
    const endpoint = storage.aws_endpoint;
    const address = endpoint
      ? checkedAddress(endpoint, 'store')
      : new URL(`https://${host}.s3.${storage.aws_region ?? 'us-east-1'}.amazonaws.com`);
    return { ...place, address, storage: { ...storage, ...plainHttp(address), ...bounds } };
  }
  if (scheme === 'az') {
    const storage = storageOptions('az', read);
    const account = storage.azure_storage_account_name ?? 'unknown';
    const address = storage.azure_storage_endpoint
      ? checkedAddress(storage.azure_storage_endpoint, 'store')
      : new URL(`https://${account}.blob.core.windows.net`);
    return { ...place, address, storage: { ...storage, ...plainHttp(address), ...bounds } };
  }
  if (scheme === 'db') {
    const key = api_key ?? read('QUARRY_STORE_API_KEY') ?? read('LANCEDB_API_KEY');
    if (key === undefined) throw withoutKey();
    return {
      ...place,
      address: new URL(`https://${host}.us-east-1.api.lancedb.com`),
      storage: {},
      key,
    };
  }
  throw unknownPlace();
}

/** The name of a table of a project. */
export function tableName({ collection }: Location, name: string): string {
  return `${collection}--${name}`;
}

/** The state folder of the project: an index is opened with a folder of its own in it. */
function projectState(stateFolder: string): string {
  return /^index-\d+$/.test(stateFolder.split(/[\\/]/).at(-1) ?? '') ? dirname(stateFolder) : stateFolder;
}

/** A store that loses a request, or answers none, is asked again for a while and no longer. */
const bounds = {
  request_timeout: '30s',
  connect_timeout: '5s',
  client_max_retries: '4',
  client_retry_timeout: '60',
};

function plainHttp({ protocol }: URL): Record<string, string> {
  return protocol === 'http:' ? { allow_http: 'true' } : {};
}

function storageOptions(
  kind: keyof typeof variables,
  read: (name: string) => string | undefined,
): Record<string, string> {
  const options: Record<string, string> = {};
  for (const [name, option] of Object.entries(variables[kind])) {
    const value = read(name);
    if (value !== undefined) options[option] = value;
  }
  return options;
}

function unknownPlace(): QuarryError {
  return new QuarryError(
    'config-invalid',
    'store.url is not an address that the driver "lancedb" knows.',
    'Set store.url to a folder, s3://BUCKET/PATH, az://CONTAINER/PATH or db://DATABASE.',
  );
}

function withoutCollection(url: string): QuarryError {
  return new QuarryError(
    'config-invalid',
    `Several projects may use ${url}, and store.collection is not set.`,
    'Set store.collection to a name for this project.',
  );
}

function withoutKey(): QuarryError {
  return new QuarryError(
    'provider-key',
    'LanceDB Cloud needs a key, and LANCEDB_API_KEY is not set.',
    'Set the environment variable LANCEDB_API_KEY to a key of your LanceDB project.',
  );
}
