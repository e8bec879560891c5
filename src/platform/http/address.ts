import { QuarryError } from '../../core/errors.ts';

/** The table of the settings that names an address: remedies speak of it, and its keys are its own. */
export type SettingsTable = 'embedder' | 'reranker';

/** The address in a setting, once it is known to be one that text may be sent to: http or https, and no secret in it. */
export function checkedAddress(url: string, table: SettingsTable): URL {
  const address = URL.parse(url);
  if (
    !address ||
    (address.protocol !== 'http:' && address.protocol !== 'https:') ||
    address.hostname === ''
  ) {
    // What cannot be read as an address may still hold a password: it is not repeated.
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

/** The address of one of a service's paths: what the setting names stays in front, a query stays behind. */
export function pathBelow(address: URL, path: string): URL {
  const target = new URL(address);
  target.pathname = address.pathname.replace(/\/+$/, '') + path;
  return target;
}

/** The address for a person, without the query, which may hold what is not for showing. */
export function shownAddress(address: URL): string {
  return `${address.origin}${address.pathname}`.replace(/\/+$/, '');
}

function invalid(table: SettingsTable, what: string, wanted: string): QuarryError {
  return new QuarryError('config-invalid', `${table}.url ${what}`, `Set ${table}.url to ${wanted}.`);
}
