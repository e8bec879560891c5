import { QuarryError } from '../core/errors.ts';
import { untrustedWords } from '../core/failures/untrusted-settings.ts';
import type { SettingOrigin } from './config.ts';
import type { Settings } from './settings.ts';

/**
 * What the settings file of a project would run: a command, or what it would have a tool of a server do. What users write
 * in their own files is theirs.
 */
export function commandsOf(
  { store }: Pick<Settings, 'store'>,
  origins: ReadonlyMap<string, SettingOrigin>,
): readonly string[] {
  const {
    driver,
    mcp: { server, tool, arguments: given },
  } = store;
  if (driver !== 'mcp' || !server) return [];
  const isOfProject = (key: string): boolean =>
    [...origins].some(
      ([name, { layer }]) => layer === 'project' && (name === key || name.startsWith(`${key}.`)),
    );
  const call = [
    ...(isOfProject('store.mcp.tool') ? [`the tool ${tool}`] : []),
    ...(isOfProject('store.mcp.arguments') ? [`the arguments ${JSON.stringify(given)}`] : []),
  ];
  const runs = isOfProject('store.mcp.server') && !isWebAddress(server);
  return runs || call.length > 0 ? [server, ...call] : [];
}

/** Whether a server is named by its address, so that nothing is run. */
function isWebAddress(server: string): boolean {
  return /^https?:\/\//i.test(server);
}

/** The warning that settings which came with the folder do not count, where there are any. */
export function warningsOf(untrusted: readonly string[]): QuarryError[] {
  if (untrusted.length === 0) return [];
  const { message, remedy } = untrustedWords(untrusted);
  return [new QuarryError('trust-missing', message, remedy)];
}
