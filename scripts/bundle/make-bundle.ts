import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packWithNpm } from '../../src/models/npm-pack.ts';
import { nativePackages, type Platform, takeNativePackage } from '../native-packages.ts';
import { nodePackages } from './node-packages.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
/** What nobody needs who only runs the program. */
const superfluous = /\.(map|d\.[cm]?ts|[cm]?ts)$/;

/** An archive that installs without a network. */
export interface Bundle {
  readonly archive: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Makes the archive of a platform from a packed package, or from what `npm run build` has made; what this machine lacks
 * comes from the registry.
 */
export async function makeBundle(platform: Platform, destination: string, tarball?: string): Promise<Bundle> {
  const stage = await mkdtemp(join(tmpdir(), 'quarry-bundle-'));
  try {
    const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const title = `${name}-${version}-${platform.os}-${platform.cpu}`;
    const folder = join(stage, title);
    await mkdir(folder);
    await addPackage(tarball ?? (await pack(stage)), stage, folder, platform);
    await addNode(stage, folder, platform);
    await addInstaller(folder, platform);
    await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    await writeFile(join(folder, 'SHA256SUMS'), await sumsOf(folder));

    await mkdir(destination, { recursive: true });
    const archive = join(destination, `${title}.tar.gz`);
    await run('tar', ['-czf', archive, '-C', stage, title]);
    const sha256 = await hashOf(archive);
    await writeFile(`${archive}.sha256`, `${sha256}  ${title}.tar.gz\n`);
    return { archive, sha256, bytes: (await stat(archive)).size };
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** The package as npm would publish it. */
async function pack(stage: string): Promise<string> {
  const packing = ['pack', '--silent', '--ignore-scripts', '--pack-destination', stage];
  await run('npm', packing, { cwd: root, shell: process.platform === 'win32' });
  return join(stage, (await readdir(stage)).find((name) => name.endsWith('.tgz')) ?? '');
}

/** What was packed, with its libraries, for one platform. */
async function addPackage(tarball: string, stage: string, folder: string, platform: Platform): Promise<void> {
  await run('tar', ['-C', folder, '-xzf', tarball]);
  const place = join(folder, 'package');
  for (const file of await filesIn(place)) if (superfluous.test(file)) await rm(file);
  const own = `${platform.os}-${platform.cpu}`;
  const natives = join(place, 'native');
  for (const entry of await readdir(natives, { withFileTypes: true }))
    if (entry.isDirectory() && entry.name !== own) await rm(join(natives, entry.name), { recursive: true });
  if ((await readdir(natives)).includes(own)) return;
  for (const wanted of nativePackages) {
    const archives = join(stage, wanted.package);
    await mkdir(archives, { recursive: true });
    await takeNativePackage(
      wanted,
      await packWithNpm(wanted, archives),
      platform,
      join(natives, own, wanted.package),
    );
  }
}

/** The pinned Node.js of the platform, with its licence. */
async function addNode(stage: string, folder: string, platform: Platform): Promise<void> {
  const wanted = nodePackages[`${platform.os}-${platform.cpu}`];
  if (!wanted) throw new Error(`There is no Node.js for ${platform.os}-${platform.cpu}.`);
  const archives = join(stage, 'node-package');
  await mkdir(archives);
  const archive = await packWithNpm(wanted, archives);
  const place = join(folder, 'node');
  if (!(await takeNativePackage(wanted, archive, platform, place)))
    throw new Error(`${wanted.package} holds no Node.js.`);
  if (platform.os !== 'win32') await chmod(join(place, 'bin', 'node'), 0o755);
}

async function addInstaller(folder: string, { os }: Platform): Promise<void> {
  const own = join(root, 'scripts/bundle');
  await copyFile(join(own, 'install.mjs'), join(folder, 'install.mjs'));
  if (os === 'win32') {
    const text = await readFile(join(own, 'install.cmd'), 'utf8');
    await writeFile(join(folder, 'install.cmd'), text.replaceAll(/\r?\n/g, '\r\n'));
  } else {
    await copyFile(join(own, 'install.sh'), join(folder, 'install.sh'));
    await chmod(join(folder, 'install.sh'), 0o755);
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** The hash of every file, in the form that `sha256sum -c` reads. */
async function sumsOf(folder: string): Promise<string> {
  const lines: string[] = [];
  for (const file of (await filesIn(folder)).sort())
    lines.push(`${await hashOf(file)}  ${relative(folder, file).split(sep).join('/')}\n`);
  return lines.join('');
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
