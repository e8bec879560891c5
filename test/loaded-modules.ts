import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const runner = fileURLToPath(new URL('./loaded-modules.mjs', import.meta.url));

/** Everything a module loads in a fresh process, as urls. */
export async function modulesLoadedBy(file: string, ...words: string[]): Promise<string[]> {
  return reached(file, await loadsOf([file], ...words));
}

/** The packages (and `node:sqlite`) that each of the modules loads; one process runs them one after the other. */
export async function packagesLoadedByEach(files: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const loads = await loadsOf(files);
  const packagesOf = (file: string) => reached(file, loads).map(packageOf);
  return new Map(
    files.map((file) => [file, [...new Set(packagesOf(file).filter((name) => name !== undefined))].sort()]),
  );
}

type Load = readonly [parent: string | undefined, url: string];

async function loadsOf(files: readonly string[], ...words: string[]): Promise<readonly Load[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [runner, JSON.stringify(files), ...words], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n'))) as Load[];
}

/** What is loaded by a file, by what it loads, and so on. */
function reached(file: string, loads: readonly Load[]): string[] {
  const urls = new Set([pathToFileURL(file).href]);
  for (const url of urls) for (const [parent, loaded] of loads) if (parent === url) urls.add(loaded);
  return [...urls];
}

function packageOf(url: string): string | undefined {
  if (url === 'node:sqlite') return url;
  const inside = url.split('/node_modules/').at(-1);
  if (!inside || !url.includes('/node_modules/')) return undefined;
  const [scope = '', name = ''] = inside.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}
