import { QuarryError } from '../core/errors.ts';
import type { Environment } from '../platform/environment.ts';
import type { Settings } from './settings.ts';

/** The variable for the key of the server in `[embedder]`. */
const generalVariable = 'QUARRY_EMBEDDER_API_KEY';

type Tables = Pick<Settings, 'embedder' | 'embedders'>;

/** The variable for the key of a server in `[embedders]`: `my-server` has `QUARRY_EMBEDDER_MY_SERVER_API_KEY`. */
export function keyVariableOf(name: string): string {
  return `QUARRY_EMBEDDER_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_API_KEY`;
}

/** Whether a variable may hold the key of an embedder, whatever embedders a project has. */
export function isKeyVariable(variable: string): boolean {
  return variable === generalVariable || /^QUARRY_EMBEDDER_[A-Z0-9_]+_API_KEY$/.test(variable);
}

/**
 * The variable for the key of a named embedder's server: its own, or the general one where no other server would get
 * that too. A key is never sent to a server that it was not meant for.
 */
export function keyVariableFor(tables: Tables, environment: Environment, name: string): string {
  const own = keyVariableOf(name);
  const origin = originOf(Object.hasOwn(tables.embedders, name) ? tables.embedders[name]?.url : undefined);
  if (environment(own) !== undefined) {
    requireOneServer(tables, own);
    return own;
  }
  return origin !== undefined && mayGetGeneralKey(tables, environment, origin) ? generalVariable : own;
}

/** Whether the general key may go to this origin: that of `[embedder]`, or without one the only one left without a key. */
export function mayGetGeneralKey(tables: Tables, environment: Environment, origin: string): boolean {
  const first = originOf(tables.embedder.url);
  if (first !== undefined) return first === origin;
  return Object.entries(tables.embedders)
    .filter(([name]) => environment(keyVariableOf(name)) === undefined)
    .map(([, { url }]) => originOf(url))
    .every((other) => other === undefined || other === origin);
}

/** Scheme, host and port of an address; what is no address is refused when it is opened. */
export function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : url;
}

function requireOneServer({ embedders }: Tables, variable: string): void {
  const sharing = Object.entries(embedders).filter(
    ([name, { url }]) => url !== undefined && keyVariableOf(name) === variable,
  );
  if (new Set(sharing.map(([, { url }]) => originOf(url))).size < 2) return;
  const names = sharing.map(([name]) => `[embedders.${name}]`).join(' and ');
  throw new QuarryError(
    'config-invalid',
    `${variable} would go to different servers, those of ${names}.`,
    'Rename one of them, so that each has a variable of its own.',
  );
}
