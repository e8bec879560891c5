import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packWithNpm } from '../../src/models/npm-pack.ts';
import { type NativePackage, type Platform, takeNativePackage } from '../native-packages.ts';
import { archiveFolder, filesIn, hashOf, sumsOf } from './archive.ts';
import { nodePackages } from './node-packages.ts';
import { unpackFor } from './platform-package.ts';
import { withoutSymbols } from './without-symbols.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
/** What nobody needs who only runs the program: types, and of the packages in it what is for browsers, debuggers and readers. */
const superfluous =
  /\.(map|[cm]?ts)$|\/node_modules\/(web-tree-sitter\/debug|yaml\/browser|zod\/v3)\/|\/node_modules\/.*\.md$/;

/** An archive that installs without a network. */
export interface Bundle {
  readonly archive: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a bundle is made of, where it is not what is usual. */
export interface BundleParts {
  /** The packed package; by default what `npm run build` has made. */
  readonly tarball?: string;
  /** The package that carries Node.js; by default the pinned one. */
  readonly node?: NativePackage;
}

/** Makes the archive of a platform; what this machine lacks comes from the registry. */
export async function makeBundle(platform: Platform, destination: string, tarball?: string): Promise<Bundle> {
  const stage = await mkdtemp(join(tmpdir(), 'quarry-bundle-'));
  try {
    const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const title = `${name}-${version}-${platform.os}-${platform.cpu}`;
    await layOutBundle(platform, join(stage, title), tarball === undefined ? {} : { tarball });
    await mkdir(destination, { recursive: true });
    const archive = join(destination, `${title}.tar.gz`);
    await archiveFolder(archive, stage, title);
    const sha256 = await hashOf(archive);
    await writeFile(`${archive}.sha256`, `${sha256}  ${title}.tar.gz\n`);
    return { archive, sha256, bytes: (await stat(archive)).size };
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** Fills a folder with what the archive of a platform holds. */
export async function layOutBundle(
  platform: Platform,
  folder: string,
  { tarball, node = nodePackages[`${platform.os}-${platform.cpu}`] }: BundleParts = {},
): Promise<void> {
  if (!node) throw new Error(`There is no Node.js for ${platform.os}-${platform.cpu}.`);
  const stage = await mkdtemp(join(tmpdir(), 'quarry-packages-'));
  try {
    await mkdir(folder, { recursive: true });
    const place = await unpackFor(platform, tarball ?? (await packPackage(stage)), folder, stage);
    for (const file of await filesIn(place))
      if (superfluous.test(file.slice(place.length).replaceAll(sep, '/'))) await rm(file);
    await addNode(node, stage, folder, platform);
    await addInstaller(folder, platform);
    await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    await writeFile(join(folder, 'SHA256SUMS'), await sumsOf(folder, await filesIn(folder)));
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** The package as npm would publish it, packed into a folder that has no other. */
export async function packPackage(stage: string): Promise<string> {
  const packing = ['pack', '--silent', '--ignore-scripts', '--pack-destination', stage];
  await run('npm', packing, { cwd: root, shell: process.platform === 'win32' });
  return join(stage, (await readdir(stage)).find((name) => name.endsWith('.tgz')) ?? '');
}

/** The Node.js of the platform without its symbols, with its licence. */
async function addNode(
  wanted: NativePackage,
  stage: string,
  folder: string,
  platform: Platform,
): Promise<void> {
  const archives = join(stage, 'node-package');
  await mkdir(archives);
  const archive = await packWithNpm(wanted, archives);
  const place = join(folder, 'node');
  if (!(await takeNativePackage(wanted, archive, platform, place)))
    throw new Error(`${wanted.package} holds no Node.js.`);
  if (platform.os === 'win32') return;
  const program = join(place, 'bin', 'node');
  await writeFile(program, withoutSymbols(await readFile(program)));
  await chmod(program, 0o755);
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
