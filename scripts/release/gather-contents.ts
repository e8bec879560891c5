import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOf } from '../bundle/archive.ts';
import { nodePackages } from '../bundle/node-packages.ts';
import { nativePackages } from '../native-packages.ts';
import { type Carried, fetchedPackage, packagesBeside, packagesInside } from './contents.ts';

/** The file that makes each model what it is, and its licence (see their `PROVENANCE.md`). */
const models = [
  { name: 'all-MiniLM-L6-v2', file: 'model.onnx', licence: 'Apache-2.0' },
  { name: 'quarry-minilm-l4', file: 'model.onnx', licence: 'Apache-2.0' },
  { name: 'token-table', file: 'table.bin', licence: 'Apache-2.0' },
];

/** All that the tarball and the bundle of a platform carry, read from the unpacked package. */
export async function gatherContents(place: string, platform: string, lockFile: string): Promise<Carried[]> {
  const json = async (path: string) => JSON.parse(await readFile(path, 'utf8'));
  const lock = await json(lockFile);
  const carried = packagesBeside(lock);
  carried.push(...packagesInside(lock, await json(join(place, 'dist', 'bundled-packages.json'))));
  const named: { name: string }[] = await json(join(place, 'native', platform, 'contents.json'));
  for (const wanted of nativePackages) {
    // One that has no binary for this platform is not named.
    if (named.some(({ name }) => name === wanted.package)) carried.push(fetchedPackage(wanted, 'native'));
  }
  const node = nodePackages[platform];
  if (!node) throw new Error(`There is no Node.js for ${platform}.`);
  carried.push(fetchedPackage(node, 'bundle'));
  for (const { name, file, licence } of models) {
    const content = await hashOf(join(place, 'models', name, file));
    const hash = { algorithm: 'sha256', content } as const;
    // A model has no number; a release that does not change it names the same one.
    const version = content.slice(0, 12);
    carried.push({ name, version, licence, kind: 'model', part: 'models', hash });
  }
  return carried;
}
