import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { layOutBundle } from '../scripts/bundle/make-bundle.ts';
import { runEmulated, testPlatform, type Visited, visitPlatform } from './other-platform.ts';
import { packedInstall } from './packed-install.ts';
import { temporaryFolder } from './temporary-folder.ts';

const emulator = '/usr/bin/qemu-aarch64-static';
const libraries = '/usr/aarch64-linux-gnu/lib';
const isThere = existsSync(emulator) && existsSync(join(libraries, 'libstdc++.so.6'));
if (!isThere)
  process.stdout.write('qemu or the libraries of arm64 are not installed: linux-arm64 is not tried.\n');

/** The inference runtime asks the system for its processor, and finds that of this machine: it is told another one. */
const processor = (number: number) => `processor\t: ${number}
BogoMIPS\t: 50.00
Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc dcpop asimddp
CPU implementer\t: 0x41
CPU architecture: 8
CPU variant\t: 0x3
CPU part\t: 0xd0c
CPU revision\t: 1

`;

const notes = {
  'tea.md': '# Tea\n\nGreen tea is brewed at eighty degrees for two minutes.\n',
  'lake.md': '# Lake\n\nThe heron waits in the reeds until a fish swims by.\n',
  'lock.ts':
    '/** Takes the lock of a file. */\nexport function takeLock(path: string): void {\n  open(path);\n}\n',
};

/** The vectors that a user has passed on, by the hash of their text. */
function vectorsIn(file: string): Map<string, Float32Array> {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database
    .prepare(
      'SELECT hex(hash) AS hash, content, dimensions FROM vectors JOIN spaces ON spaces.number = space',
    )
    .all();
  database.close();
  return new Map(
    rows.map(({ hash, content, dimensions }) => {
      const { buffer } = Uint8Array.from(content as Uint8Array);
      return [String(hash), new Float32Array(buffer, 0, Number(dimensions))];
    }),
  );
}

function cosine(one: Float32Array, other: Float32Array): number {
  const dot = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

describe.skipIf(!isThere)('the bundle for linux-arm64, under qemu', () => {
  let root: string;
  let visited: Visited;
  let ownVectors: string;
  let version: string;

  beforeAll(async () => {
    const { tarball, program: ownProgram } = await packedInstall();
    root = await temporaryFolder(
      Object.fromEntries(Object.entries(notes).map(([name, text]) => [`work/project/${name}`, text])),
    );
    const bundle = join(root, 'bundle');
    await layOutBundle({ os: 'linux', cpu: 'arm64' }, bundle, { tarball });
    version = JSON.parse(await readFile(join(bundle, 'package/package.json'), 'utf8')).version;
    const system = join(root, 'system');
    await mkdir(join(system, 'proc'), { recursive: true });
    await symlink(libraries, join(system, 'lib'));
    const processors = Array.from({ length: availableParallelism() }, (_, number) => processor(number));
    await writeFile(join(system, 'proc/cpuinfo'), processors.join(''));

    const emulate = [emulator, '-cpu', 'neoverse-n1', '-L', system];
    // An emulated thread that reads files takes half a minute to start where the machine has other work.
    const env = { PATH: process.env.PATH, HOME: join(root, 'home'), QUARRY_INDEX_FILE_SECONDS: '600' };
    const log = { cwd: root, log: join(root, 'log') };
    const installer = [
      join(bundle, 'node/bin/node'),
      join(bundle, 'install.mjs'),
      '--prefix',
      join(root, 'opt'),
    ];
    await runEmulated([...emulate, ...installer], env, log);

    // The system of this machine cannot start the program of another: what starts it is put in its place, and it is
    // told that it is that.
    const place = join(root, 'opt/lib/quarry', version);
    const node = join(place, 'node/bin/node');
    await rename(node, `${node}.arm64`);
    const teller = join(root, 'tell.cjs');
    await writeFile(teller, `process.execPath = ${JSON.stringify(node)};\n`);
    await writeFile(node, `#!/bin/sh\nexec ${emulate.join(' ')} '${node}.arm64' -r '${teller}' "$@"\n`);
    await chmod(node, 0o755);

    const places = {
      installed: join(root, 'opt/bin/quarry'),
      node,
      program: join(place, 'package/dist/surfaces/cli/main.js'),
      folder: join(root, 'work/project'),
      folderHere: join(root, 'work/project'),
      there: (path: string) => path,
    };
    const start = (...words: string[]) => runEmulated([node, ...words], env, log);
    visited = await visitPlatform(places, [], start);

    // The same with the processor of this machine.
    const own = await temporaryFolder(notes);
    const ownEnv = { ...env, HOME: join(own, 'home'), CI: 'true' };
    ownVectors = join(own, 'vectors.db');
    await runEmulated([process.execPath, ownProgram, 'index'], ownEnv, { cwd: own, log: log.log });
    await runEmulated([process.execPath, ownProgram, 'cache', 'export', ownVectors], ownEnv, {
      cwd: own,
      log: log.log,
    });
  });

  testPlatform(() => ({ ...visited, version }), {
    documents: 3,
    hit: { citation: 'tea.md:1-3' },
  });

  test('makes the vectors that x64 makes, as near as whole numbers of eight bits allow', () => {
    const theirs = vectorsIn(join(root, 'work/vectors.db'));
    const ours = vectorsIn(ownVectors);
    expect([...theirs.keys()].sort()).toEqual([...ours.keys()].sort());
    const likeness = [...theirs].map(([hash, vector]) => cosine(vector, ours.get(hash) ?? vector));
    process.stdout.write(
      `cosines of ${likeness.length} vectors of arm64 with those of x64: ${likeness.join(', ')}\n`,
    );
    expect(likeness.length).toBeGreaterThanOrEqual(3);
    expect(Math.min(...likeness)).toBeGreaterThan(0.9999);
  });
});
