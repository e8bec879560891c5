import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const runner = fileURLToPath(new URL('./loaded-modules.mjs', import.meta.url));

/** Everything a module loads in a fresh process, as urls. */
export async function modulesLoadedBy(file: string, ...words: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [runner, file, ...words], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout.slice(stdout.lastIndexOf('['))) as string[];
}

/** The packages (and `node:sqlite`) that a module loads in a fresh process. */
export async function packagesLoadedBy(file: string, ...words: string[]): Promise<string[]> {
  const names = (await modulesLoadedBy(file, ...words)).map(packageOf);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

function packageOf(url: string): string | undefined {
  if (url === 'node:sqlite') return url;
  const inside = url.split('/node_modules/').at(-1);
  if (!inside || !url.includes('/node_modules/')) return undefined;
  const [scope = '', name = ''] = inside.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}
