import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  type NativePackage,
  nativePackages,
  type Platform,
  takeNativePackage,
  takeNativePackages,
} from '../scripts/native-packages.ts';
import { tarArchive } from '../src/models/tar-archive.fixture.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A published package as it is, but with these files in its archive. */
async function archiveOf(name: string, paths: readonly string[]): Promise<[NativePackage, string]> {
  const members = paths.map((path) => ({ path: `package/${path}`, content: path }));
  const bytes = gzipSync(tarArchive(members));
  const archive = join(await temporaryFolder(), 'archive.tgz');
  await writeFile(archive, bytes);
  const published = nativePackages.find((candidate) => candidate.package === name);
  if (!published) throw new Error(`no package ${name}`);
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  return [{ ...published, integrity }, archive];
}

async function taken(wanted: NativePackage, archive: string, platform: Platform): Promise<string[]> {
  const folder = await temporaryFolder();
  const isThere = await takeNativePackage(wanted, archive, platform, folder);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  expect(isThere).toBe(paths.length > 0);
  return paths.map((path) => path.slice(folder.length + 1).replaceAll(sep, '/')).sort();
}

const runtime = [
  'package.json',
  'dist/index.js',
  'dist/index.d.ts',
  'script/install.js',
  'bin/napi-v6/linux/x64/libonnxruntime.so.1',
  'bin/napi-v6/linux/arm64/libonnxruntime.so.1',
  'bin/napi-v6/darwin/arm64/libonnxruntime.1.dylib',
  'bin/napi-v6/darwin/arm64/libonnxruntime.1.30.0.dylib',
  'bin/napi-v6/win32/x64/onnxruntime.dll',
  'bin/napi-v6/win32/x64/DirectML.dll',
  'bin/napi-v6/win32/x64/dxcompiler.dll',
  'bin/napi-v6/win32/x64/dxil.dll',
];
const graph = [
  'package.json',
  'LICENSE',
  'javascript/dist/cjs/usearch.js',
  'javascript/dist/esm/usearch.js',
  'prebuilds/darwin-arm64+x64/usearch.node',
  'prebuilds/linux-x64/usearch.node',
];

test('takes the binaries of one platform, and what every platform needs', async () => {
  const [wanted, archive] = await archiveOf('onnxruntime-node', runtime);
  const shared = ['dist/index.js', 'package.json'];
  const linux = await taken(wanted, archive, { os: 'linux', cpu: 'x64' });
  expect(linux).toEqual(['bin/napi-v6/linux/x64/libonnxruntime.so.1', ...shared]);
  const macos = await taken(wanted, archive, { os: 'darwin', cpu: 'arm64' });
  expect(macos).toEqual(['bin/napi-v6/darwin/arm64/libonnxruntime.1.dylib', ...shared]);
  const windows = await taken(wanted, archive, { os: 'win32', cpu: 'x64' });
  expect(windows).toEqual(['bin/napi-v6/win32/x64/onnxruntime.dll', ...shared]);
});

test.each(['arm64', 'x64'])('takes a binary that two processors share: darwin %s', async (cpu) => {
  const [wanted, archive] = await archiveOf('usearch', graph);
  const paths = await taken(wanted, archive, { os: 'darwin', cpu });
  expect(paths.filter((path) => path.startsWith('prebuilds'))).toEqual([
    'prebuilds/darwin-arm64+x64/usearch.node',
  ]);
});

test('takes nothing where the package has no binary for the platform', async () => {
  const [wanted, archive] = await archiveOf('onnxruntime-node', runtime);
  expect(await taken(wanted, archive, { os: 'darwin', cpu: 'x64' })).toEqual([]);
});

test('the folder of a platform names what is in it, and nothing that has no binary for it', async () => {
  const [engine, engineArchive] = await archiveOf('onnxruntime-node', runtime);
  const [library, libraryArchive] = await archiveOf('usearch', graph);
  const archives = async (wanted: NativePackage) => (wanted === engine ? engineArchive : libraryArchive);
  const named = async (platform: Platform) => {
    const folder = await temporaryFolder();
    await takeNativePackages(platform, folder, archives, [engine, library]);
    const contents: { name: string }[] = JSON.parse(await readFile(join(folder, 'contents.json'), 'utf8'));
    const names = contents.map(({ name }) => name);
    expect((await readdir(folder)).sort()).toEqual(['contents.json', ...names].sort());
    return names;
  };
  expect(await named({ os: 'linux', cpu: 'x64' })).toEqual(['onnxruntime-node', 'usearch']);
  expect(await named({ os: 'win32', cpu: 'x64' })).toEqual(['onnxruntime-node']);
});

test('refuses an archive that is not the published one, and writes nothing', async () => {
  const [wanted, archive] = await archiveOf('usearch', graph);
  const bytes = await readFile(archive);
  await writeFile(archive, gzipSync(tarArchive([{ path: 'package/prebuilds/linux-x64/usearch.node' }])));
  const folder = await temporaryFolder();
  const taking = takeNativePackage(wanted, archive, { os: 'linux', cpu: 'x64' }, folder);
  await expect(taking).rejects.toThrow('integrity');
  expect(await readdir(folder)).toEqual([]);
  await writeFile(archive, bytes);
  expect(await takeNativePackage(wanted, archive, { os: 'linux', cpu: 'x64' }, folder)).toBe(true);
});

test('the page of provenance names the versions that are taken', async () => {
  const page = await readFile(new URL('../native/PROVENANCE.md', import.meta.url), 'utf8');
  const versions = nativePackages.map(({ version }) => version).join(' | ');
  const names = nativePackages.map(({ package: name }) => `\`${name}\``).join(' | ');
  expect(page).toContain(`| | ${names} |`);
  expect(page).toContain(`| Version | ${versions} |`);
});
