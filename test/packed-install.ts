import { execFile } from 'node:child_process';
import { cp, mkdtemp, rename, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isBuilt } from '../scripts/source-hash.ts';
import { oncePerRun } from './once-per-run.ts';
import { sample } from './samples.ts';
import { writeFiles } from './temporary-folder.ts';

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
  QUARRY_RESOURCES_THREADS: undefined,
};

/** The words before a command that take the network from it; undefined where the machine does not allow it. */
export const withoutNetwork = await run('unshare', ['--map-root-user', '--net', 'true']).then(
  () => ['unshare', '--map-root-user', '--net'],
  () => undefined,
);

/** The package as it is shipped: what `npm pack` makes of this source, and a folder in which a user has installed it. */
export interface PackedInstall {
  readonly tarball: string;
  /** The file of what npm said while it was installed. */
  readonly warnings: string;
  /** The folder of the installed package. */
  readonly package: string;
  /** The file of its command line. */
  readonly program: string;
  /** Makes a folder whose programs can import the package: below the install, so nobody indexes the install itself. */
  project(files: Readonly<Record<string, string | Uint8Array>>): Promise<string>;
}

/** How else a user may get it and what they may run it with, each of which takes long: outside of CI one of them, another one next time. */
export const otherWays = sample(3, ['npm 10', 'the oldest Node.js', 'the bundle']);

const tarballName = 'quarry.tgz';
const userManifest = '{ "name": "user", "private": true, "type": "module" }';
/** Packages of this clone that a user may have installed beside ours. */
const optionalPackages = ['@ai-sdk', '@lancedb', '@langchain', '@llamaindex', 'pg'];

/** Builds where the source has changed since, packs and installs: once for a test run. */
export async function packedInstall(): Promise<PackedInstall> {
  const place = await oncePerRun('packed-install', packAndInstall);
  return installIn(join(place, 'user'), join(place, tarballName));
}

/** The same beside packages that are optional: other stores, and the frameworks of the adapters. */
export async function packedInstallWithOptional(): Promise<PackedInstall> {
  const { tarball, package: installed } = await packedInstall();
  const user = await oncePerRun('packed-install-with-optional', async (folder) => {
    const modules = join(folder, 'node_modules');
    await writeFiles(folder, { 'package.json': userManifest });
    await cp(installed, join(modules, 'quarry'), { recursive: true });
    for (const name of optionalPackages)
      await symlink(join(root, 'node_modules', name), join(modules, name), 'dir');
  });
  return installIn(user, tarball);
}

function installIn(user: string, tarball: string): PackedInstall {
  const installed = join(user, 'node_modules', 'quarry');
  return {
    tarball,
    warnings: join(tarball, '..', 'warnings.txt'),
    package: installed,
    program: join(installed, 'dist', 'surfaces', 'cli', 'main.js'),
    async project(files) {
      const folder = await mkdtemp(join(user, 'project-'));
      await writeFiles(folder, files);
      return folder;
    },
  };
}

async function packAndInstall(place: string): Promise<void> {
  if (!isBuilt()) await run('npm', ['run', '--silent', 'build'], { cwd: root, shell });
  const packing = ['pack', '--silent', '--ignore-scripts', '--pack-destination', place];
  // npm packs as tightly as it can, which takes most of its time, and everyone here unpacks what it made.
  const env = {
    ...process.env,
    NODE_OPTIONS: `--require="${join(root, 'test', 'gzip-without-packing.cjs')}"`,
  };
  const { stdout } = await run('npm', packing, { cwd: root, env, shell });
  await rename(join(place, stdout.trim()), join(place, tarballName));
  await writeFiles(place, { 'user/package.json': userManifest });
  // No variable and no cache helps: what the package needs is in it. npm would ask for optional peers too, and wait long.
  const cache = ['--cache', join(place, 'cache')];
  const installing = [
    'npm',
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    ...cache,
    join('..', tarballName),
  ];
  const [command = '', ...words] = [...(withoutNetwork ?? []), ...installing];
  const { stderr } = await run(command, words, { cwd: join(place, 'user'), env: plainEnvironment, shell });
  await writeFile(join(place, 'warnings.txt'), stderr);
}
