import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packWithNpm } from '../src/models/npm-pack.ts';
import { nativeContents, nativePackages, type Platform, takeNativePackage } from './native-packages.ts';

// `npm pack --os=darwin --cpu=arm64` makes the package for another platform.
const { npm_config_os: os = process.platform, npm_config_cpu: cpu = process.arch } = process.env;
const native = fileURLToPath(new URL('../native/', import.meta.url));
const folder = join(native, `${os}-${cpu}`);

const present = await readFile(join(folder, 'contents.json'), 'utf8').catch(() => undefined);
const folders = (await readdir(native, { withFileTypes: true })).filter((entry) => entry.isDirectory());
const outdated = folders.map(({ name }) => join(native, name)).filter((path) => path !== folder);
for (const path of outdated) await rm(path, { recursive: true });
if (present !== nativeContents) await fetchFor({ os, cpu });

/** Fills the folder in one step: a run that is stopped leaves nothing that could be packed. */
async function fetchFor(platform: Platform): Promise<void> {
  // npm runs on the Node.js that it was started with, which may know certificates that the pinned one does not.
  const { npm_node_execpath: ownNode, PATH: path } = process.env;
  if (ownNode) process.env.PATH = [dirname(ownNode), path].join(delimiter);
  const staging = join(native, 'staging');
  const made = join(staging, 'made');
  await mkdir(made, { recursive: true });
  for (const wanted of nativePackages) {
    const { package: name, version } = wanted;
    const archives = join(staging, name);
    await mkdir(archives);
    const archive = await packWithNpm(wanted, archives);
    const isThere = await takeNativePackage(wanted, archive, platform, join(made, name));
    console.log(`${name}@${version}: ${isThere ? 'taken' : 'has no binary'} for ${os}-${cpu}`);
  }
  await writeFile(join(made, 'contents.json'), nativeContents);
  await rm(folder, { recursive: true, force: true });
  await rename(made, folder);
  await rm(staging, { recursive: true });
}
