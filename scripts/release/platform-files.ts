import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveFolder } from '../bundle/archive.ts';
import { makeBundle } from '../bundle/make-bundle.ts';
import { unpackFor } from '../bundle/platform-package.ts';
import type { Platform } from '../native-packages.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import type { Carried } from './contents.ts';
import { gatherContents } from './gather-contents.ts';

/** What the files of a platform are made from. */
export interface PlatformWork {
  readonly platform: Platform;
  /** What `npm pack` has made, for whichever platform. */
  readonly packed: string;
  readonly destination: string;
  readonly lockFile: string;
  /** The time of the commit. */
  readonly time: string;
}

/** Makes the tarball, the bundle and the bill of materials of one platform; returns what they carry. */
export async function makePlatformFiles({
  platform,
  packed,
  destination,
  lockFile,
  time,
}: PlatformWork): Promise<Carried[]> {
  const tarball = await makeTarball(platform, packed, destination);
  await makeBundle(platform, destination, tarball);
  return inStage(async (stage) => {
    const place = await unpackFor(platform, tarball, stage, stage);
    const name = `${platform.os}-${platform.cpu}`;
    const carried = await gatherContents(place, name, lockFile);
    const { version } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'));
    const bill = billOfMaterials({ version, platform: name, time }, carried);
    await writeFile(tarball.replace(/\.tgz$/, '.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
    return carried;
  });
}

/** Makes the package of one platform, which npm installs from the file alone; returns its path. */
export function makeTarball(platform: Platform, packed: string, destination: string): Promise<string> {
  return inStage(async (stage) => {
    const place = await unpackFor(platform, packed, stage, stage);
    const manifestFile = join(place, 'package.json');
    const manifest = JSON.parse(await readFile(manifestFile, 'utf8'));
    await writeFile(manifestFile, `${JSON.stringify(withoutPeers(manifest), null, 2)}\n`);
    const title = `${manifest.name}-${manifest.version}-${platform.os}-${platform.cpu}`;
    const tarball = join(destination, `${title}.tgz`);
    await archiveFolder(tarball, stage, 'package');
    return tarball;
  });
}

/**
 * The manifest of a tarball that is installed from its file: npm asks a registry for every peer, optional ones too, and
 * without a network waits more than a minute for each.
 */
export function withoutPeers<Manifest extends { readonly peerDependencies?: unknown }>(manifest: Manifest) {
  const { peerDependencies: _, ...rest } = manifest;
  return rest;
}

async function inStage<Result>(work: (stage: string) => Promise<Result>): Promise<Result> {
  const stage = await mkdtemp(join(tmpdir(), 'quarry-release-'));
  try {
    return await work(stage);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}
