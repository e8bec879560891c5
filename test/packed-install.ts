import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sourceFile, sourceHash } from '../scripts/source-hash.ts';
import { writeFiles } from '../src/testing/temporary-folder.ts';
import { oncePerRun } from './once-per-run.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
// Where a shell is needed to find it (npm.cmd on Windows), one is used.
const shell = process.platform === 'win32';

/** The variables of a user who has nothing of this clone: not its Node.js, not what this run was started with. */
export const plainEnvironment = {
  ...process.env,
  CI: 'true',
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
  ONNXRUNTIME_NODE_INSTALL: undefined,
  QUARRY_TEST: undefined,
  QUARRY_INDEX_THREADS: undefined,
  NODE_COMPILE_CACHE: undefined,
};

/** The words before a command that take the network from it; undefined where the machine does not allow it. */
export const withoutNetwork = await run('unshare', ['--map-root-user', '--net', 'true']).then(
  () => ['unshare', '--map-root-user', '--net'],
  () => undefined,
);

/** The package as it is shipped: what `npm pack` makes of this source, and a folder in which a user has installed it. */
export interface PackedInstall {
  readonly tarball: string;
  /** The folder of the installed package. */
  readonly package: string;
  /** The file of its command line. */
  readonly program: string;
  /** Makes a folder whose programs can import the package: below the install, so nobody indexes the install itself. */
  project(files: Readonly<Record<string, string | Uint8Array>>): Promise<string>;
}

/** Builds where the source has changed since, packs and installs: once for a test run. */
export async function packedInstall(): Promise<PackedInstall> {
  const place = await oncePerRun('packed-install', packAndInstall);
  const [tarball = ''] = (await readdir(place)).filter((name) => name.endsWith('.tgz'));
  const installed = join(place, 'user', 'node_modules', 'quarry');
  return {
    tarball: join(place, tarball),
    package: installed,
    program: join(installed, 'dist', 'surfaces', 'cli', 'main.js'),
    async project(files) {
      const folder = await mkdtemp(join(place, 'user', 'project-'));
      await writeFiles(folder, files);
      return folder;
    },
  };
}

async function packAndInstall(place: string): Promise<void> {
  const built = join(root, 'dist', sourceFile);
  if (!existsSync(built) || readFileSync(built, 'utf8') !== sourceHash())
    await run('npm', ['run', '--silent', 'build'], { cwd: root, shell });
  const packing = ['pack', '--silent', '--ignore-scripts', '--pack-destination', place];
  await run('npm', packing, { cwd: root, shell });
  const user = join(place, 'user');
  await mkdir(user);
  await writeFile(join(user, 'package.json'), '{ "name": "user", "private": true, "type": "module" }');
  const [tarball = ''] = (await readdir(place)).filter((name) => name.endsWith('.tgz'));
  // No variable and no cache helps: what the package needs is in it. npm would ask for optional peers too, and wait long.
  const installing = [
    'npm',
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--cache',
    join(place, 'cache'),
    join('..', tarball),
  ];
  const [command = '', ...words] = [...(withoutNetwork ?? []), ...installing];
  const { stderr } = await run(command, words, { cwd: user, env: plainEnvironment, shell });
  await writeFile(join(place, 'install-warnings.txt'), stderr);
}
