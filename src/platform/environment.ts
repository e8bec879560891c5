import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** Reads one variable of the environment; an empty value counts as absent. */
export type Environment = (name: string) => string | undefined;

/** The process's own environment. This is the one place that reads it. */
export const processEnvironment: Environment = (name) => process.env[name] || undefined;

/** Sets a variable of the process where it has no value yet, for a library that reads nothing else. */
export function setVariable(name: string, value: string): void {
  process.env[name] ||= value;
}

/** Names of all variables of the process that start with `prefix`. */
export function variablesWithPrefix(prefix: string): string[] {
  return Object.keys(process.env).filter((name) => name.startsWith(prefix));
}

/** The cache folder that all projects of the user share, by the platform's convention. */
export function userCacheFolder(environment: Environment, platform: string = process.platform): string {
  const chosen = environment('QUARRY_CACHE_FOLDER');
  if (chosen) return resolve(chosen);
  const home = userHome(environment);
  if (platform === 'win32')
    return join(environment('LOCALAPPDATA') ?? join(home, 'AppData', 'Local'), 'quarry', 'cache');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'quarry');
  return join(environment('XDG_CACHE_HOME') ?? join(home, '.cache'), 'quarry');
}

/** The folder for the user's own Quarry settings, by the platform's convention. */
export function userConfigFolder(environment: Environment, platform: string = process.platform): string {
  const home = userHome(environment);
  if (platform === 'win32') return join(environment('APPDATA') ?? join(home, 'AppData', 'Roaming'), 'quarry');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'quarry');
  return join(environment('XDG_CONFIG_HOME') ?? join(home, '.config'), 'quarry');
}

/** The folder for what belongs to the user and cannot be made again, by the platform's convention. */
export function userDataFolder(environment: Environment, platform: string = process.platform): string {
  const chosen = environment('QUARRY_DATA_FOLDER');
  if (chosen) return resolve(chosen);
  const home = userHome(environment);
  if (platform === 'win32')
    return join(environment('LOCALAPPDATA') ?? join(home, 'AppData', 'Local'), 'quarry', 'data');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'quarry', 'data');
  return join(environment('XDG_DATA_HOME') ?? join(home, '.local', 'share'), 'quarry');
}

/** The user's home. With an empty or relative HOME it is that of the account: a path in the project would fill up the project. */
export function userHome(environment: Environment): string {
  return [environment('HOME'), homedir()].find((path) => path && isAbsolute(path)) ?? userInfo().homedir;
}
