import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { nodePackages } from '../scripts/bundle/node-packages.ts';
import { withoutSymbols } from '../scripts/bundle/without-symbols.ts';
import { type NativePackage, nativePackages, takeNativePackage } from '../scripts/native-packages.ts';
import { packWithNpm } from '../src/models/npm-pack.ts';
import { type BinaryHeader, binaryHeader } from './binary-header.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

const runtime = (platform: string, library: string) =>
  [library, 'onnxruntime_binding.node'].map(
    (name) => `onnxruntime-node/bin/napi-v6/${platform.replace('-', '/')}/${name}`,
  );
const graph = (platform: string) => [`usearch/prebuilds/${platform}/usearch.node`];

/** Every binary that a platform needs. What its packages have none for, Quarry does without. */
const needed: Readonly<Record<string, readonly string[]>> = {
  'linux-x64': ['node/bin/node', ...runtime('linux-x64', 'libonnxruntime.so.1'), ...graph('linux-x64')],
  'linux-arm64': ['node/bin/node', ...runtime('linux-arm64', 'libonnxruntime.so.1'), ...graph('linux-arm64')],
  'darwin-arm64': [
    'node/bin/node',
    ...runtime('darwin-arm64', 'libonnxruntime.1.dylib'),
    ...graph('darwin-arm64+x64'),
  ],
  'darwin-x64': ['node/bin/node', ...graph('darwin-arm64+x64')],
  'win32-x64': ['node/bin/node.exe', ...runtime('win32-x64', 'onnxruntime.dll'), ...graph('win32-x64')],
  'win32-arm64': ['node/bin/node.exe', ...runtime('win32-arm64', 'onnxruntime.dll')],
};

const archives = new Map<string, Promise<string>>();
async function archiveOf(wanted: NativePackage): Promise<string> {
  const known = archives.get(wanted.package) ?? packWithNpm(wanted, await temporaryFolder());
  archives.set(wanted.package, known);
  return known;
}

test('every platform that has a Node.js is looked at', () => {
  expect(Object.keys(needed).sort()).toEqual(Object.keys(nodePackages).sort());
});

describe.each(Object.keys(needed))('the package for %s', (name) => {
  const [os = '', cpu = ''] = name.split('-');
  let folder: string;
  const binaries = new Map<string, { readonly header: BinaryHeader; readonly bytes: Buffer }>();

  beforeAll(async () => {
    folder = await temporaryFolder();
    for (const wanted of [...nativePackages, nodePackages[name]]) {
      if (!wanted) continue;
      const place = join(folder, nativePackages.includes(wanted) ? wanted.package : 'node');
      await takeNativePackage(wanted, await archiveOf(wanted), { os, cpu }, place);
    }
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = await readFile(join(entry.parentPath, entry.name));
      const header = binaryHeader(bytes);
      if (header) binaries.set(relative(folder, join(entry.parentPath, entry.name)), { header, bytes });
    }
  });

  test('holds every binary that it needs, and each is made for it', () => {
    expect([...binaries.keys()].sort()).toEqual(needed[name]?.toSorted());
    for (const [path, { header }] of binaries) {
      expect(header, path).toMatchObject({ os });
      expect(header.cpus, path).toContain(cpu);
    }
  });

  const hasGraphLibrary = needed[name]?.some((path) => path.startsWith('usearch'));
  test.runIf(hasGraphLibrary)('holds the graph library where its loader looks for it', async () => {
    const loader = createRequire(import.meta.url).resolve('node-gyp-build');
    const words = ['-p', 'require(process.argv[1]).path(process.argv[2])', loader, join(folder, 'usearch')];
    const env = { ...process.env, npm_config_platform: os, npm_config_arch: cpu, PREBUILDS_ONLY: '1' };
    const { stdout } = await run(process.execPath, words, { env });
    expect([...binaries.keys()]).toContain(relative(folder, stdout.trim()));
  });

  test.runIf(os === 'darwin')('loads only what macOS 14 has or stands beside it, and is signed', () => {
    for (const [path, { header }] of binaries) {
      const part = header.parts.find((candidate) => candidate.cpu === cpu);
      expect(part?.oldestSystem, path).toBeLessThanOrEqual(14);
      // macOS on x64 runs what is not signed.
      if (cpu === 'arm64') expect(part?.isSigned, path).toBe(true);
      for (const library of part?.libraries ?? []) {
        const isBeside = binaries.has(join(dirname(path), basename(library)));
        expect(isBeside || /^(\/usr\/lib|\/System\/Library)\//.test(library), `${path}: ${library}`).toBe(
          true,
        );
      }
    }
  });

  test.runIf(needed[name]?.includes('node/bin/node'))('its Node.js loads the same without symbols', () => {
    const whole = binaries.get('node/bin/node')?.bytes ?? Buffer.alloc(0);
    const bare = withoutSymbols(whole);
    expect(bare.length / whole.length).toBeLessThan(os === 'linux' ? 0.9 : 1.01);
    expect(binaryHeader(bare)).toEqual(binaryHeader(whole));
    expect(withoutSymbols(bare).equals(bare)).toBe(true);
    // From behind the header to the end of what is loaded.
    expect(bare.subarray(64, bare.length - 4096).equals(whole.subarray(64, bare.length - 4096))).toBe(true);
  });

  // Without the graph library a large index is searched exactly.
  test.runIf(os === 'linux')('asks for glibc 2.28, and for 2.34 in the graph library alone', () => {
    for (const [path, { bytes }] of binaries) {
      const versions = [...bytes.toString('latin1').matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) =>
        Number(minor),
      );
      expect(Math.max(...versions), path).toBeLessThanOrEqual(path.startsWith('usearch') ? 34 : 28);
    }
  });
});
