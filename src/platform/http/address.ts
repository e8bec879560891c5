import { QuarryError } from '../../core/errors.ts';

/** The table of the settings that holds an address; remedies name it. */
export type SettingsTable = 'embedder' | 'reranker' | 'generator' | 'store';

/** The address in a setting, after a check: http or https, and no secret in it. */
export function checkedAddress(url: string, table: SettingsTable): URL {
  const address = URL.parse(url);
  if (
    !address ||
    (address.protocol !== 'http:' && address.protocol !== 'https:') ||
    address.hostname === ''
  ) {
    // The invalid value may hold a password, so the message does not repeat it.
    throw invalid(table, 'is not an http or https address.', 'https://host/path');
  }
  if (address.username !== '' || address.password !== '') {
    throw invalid(
      table,
      `holds a user name or password for ${address.host}.`,
      `an address without them and QUARRY_${table.toUpperCase()}_API_KEY to the key`,
    );
  }
  address.hash = '';
  return address;
}

/** Fails when text for this provider would travel unencrypted. */
export function requireEncryption(address: URL, providerOrigin: string, table: SettingsTable): void {
  const provider = new URL(providerOrigin);
  if (address.hostname !== provider.hostname || address.protocol === 'https:') return;
  throw invalid(table, `would send text to ${address.host} unencrypted.`, providerOrigin);
}

/** The address of one of a service's paths: the path is added to that of the setting, its query to that at the end. */
export function pathBelow(address: URL, path: string): URL {
  const target = new URL(address);
  const [below, query] = path.split('?', 2);
  target.pathname = address.pathname.replace(/\/+$/, '') + below;
  for (const [name, value] of new URLSearchParams(query)) target.searchParams.append(name, value);
  return target;
}

/** The address for a person, without its query, which may hold a secret. */
export function shownAddress(address: URL): string {
  return `${address.origin}${address.pathname}`.replace(/\/+$/, '');
}

function invalid(table: SettingsTable, what: string, wanted: string): QuarryError {
  return new QuarryError('config-invalid', `${table}.url ${what}`, `Set ${table}.url to ${wanted}.`);
}
