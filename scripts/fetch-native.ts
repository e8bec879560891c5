import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packWithNpm } from '../src/models/npm-pack.ts';
import { nativeContents, nativePackages, type Platform, takeNativePackages } from './native-packages.ts';

// `npm pack --os=darwin --cpu=arm64` makes the package for another platform.
const { npm_config_os: os = process.platform, npm_config_cpu: cpu = process.arch } = process.env;
const native = fileURLToPath(new URL('../native/', import.meta.url));
const folder = join(native, `${os}-${cpu}`);

const present = await readFile(join(folder, 'contents.json'), 'utf8').catch(() => undefined);
const folders = (await readdir(native, { withFileTypes: true })).filter((entry) => entry.isDirectory());
const outdated = folders.map(({ name }) => join(native, name)).filter((path) => path !== folder);
for (const path of outdated) await rm(path, { recursive: true });
// A package without a binary is asked for each time: another version may have one.
if (present !== nativeContents(nativePackages)) await fetchFor({ os, cpu });

/** Fills the folder in one step: a run that is stopped leaves nothing that could be packed. */
async function fetchFor(platform: Platform): Promise<void> {
  // npm runs on the Node.js that it was started with, which may know certificates that the pinned one does not.
  const { npm_node_execpath: ownNode, PATH: path } = process.env;
  if (ownNode) process.env.PATH = [dirname(ownNode), path].join(delimiter);
  const staging = join(native, 'staging');
  const made = join(staging, 'made');
  const taken = await takeNativePackages(platform, made, async (wanted) => {
    const archives = join(staging, wanted.package);
    await mkdir(archives, { recursive: true });
    return packWithNpm(wanted, archives);
  });
  for (const wanted of nativePackages) {
    const outcome = taken.includes(wanted) ? 'taken' : 'has no binary';
    console.log(`${wanted.package}@${wanted.version}: ${outcome} for ${os}-${cpu}`);
  }
  await rm(folder, { recursive: true, force: true });
  await rename(made, folder);
  await rm(staging, { recursive: true });
}
