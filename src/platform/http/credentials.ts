import { QuarryError } from '../../core/errors.ts';
import type { Environment } from '../environment.ts';
import type { SettingsTable } from './address.ts';

/** The variables for the key of a server that is not a provider's own address. */
const ownServerVariables: Readonly<Record<SettingsTable, string>> = {
  embedder: 'QUARRY_EMBEDDER_API_KEY',
  reranker: 'QUARRY_RERANKER_API_KEY',
  generator: 'QUARRY_GENERATOR_API_KEY',
  store: 'QUARRY_STORE_API_KEY',
};

/** A provider's own address and the variables that may hold its key; remedies name the first. */
export interface KeyedProvider {
  readonly origin: string;
  readonly variables: readonly string[];
}

/** The key for one address, if there is one. Its value is never shown. */
export interface Credentials {
  /** The variable that holds the key, or that should. */
  readonly variable: string;
  readonly value: string | undefined;
  /** Whether a call needs it. */
  readonly isRequired: boolean;
}

/** Finds the key for an address: a provider's key is sent to that provider only. */
export function findCredentials(
  address: URL,
  environment: Environment,
  table: SettingsTable,
  provider?: KeyedProvider,
): Credentials {
  const isProvider = provider !== undefined && address.origin === provider.origin;
  const ownVariable = ownServerVariables[table];
  const variables = isProvider ? provider.variables : [ownVariable];
  const variable = variables.find((name) => keyIn(environment, name)) ?? variables[0] ?? ownVariable;
  return { variable, value: keyIn(environment, variable), isRequired: isProvider };
}

/** The key to send, undefined where none is needed; fails when it is missing or cannot be one. */
export function requireKey({ variable, value, isRequired }: Credentials, host: string): string | undefined {
  if (value === undefined) {
    if (isRequired) throw missingKey(variable, host);
    return undefined;
  }
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new QuarryError(
    'provider-key',
    `${variable} holds characters that no key has.`,
    `Set ${variable} to the key as the provider shows it.`,
  );
}

/** What `facts` may show of a key: where it comes from. */
export function shownKey({ variable, value }: Credentials): string {
  return value === undefined ? 'none' : variable;
}

/** The error for an address that needs a key where there is none. */
export function missingKey(variable: string, host: string): QuarryError {
  return new QuarryError(
    'provider-key',
    `${host} needs a key, and ${variable} is not set.`,
    `Set the environment variable ${variable} to a key for ${host}.`,
  );
}

function keyIn(environment: Environment, name: string): string | undefined {
  return environment(name)?.trim() || undefined;
}
