import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { openVectorCache } from './vector-cache.ts';
import { bitsFor, bitsOf, roomy, textsNamed } from './vectors.fixture.ts';

test('processes that write and read the same file at once find only whole vectors, and lose none', async () => {
  const folder = await temporaryFolder();
  const names = ['a', 'b', 'c'];
  await Promise.all(
    names.map((name) =>
      runProcess(
        folder,
        `for (let round = 0; round < 12; round += 1) {
           await putKept(entriesFor(textsNamed('${name}' + round, 64)));
           for (const name of ['a', 'b', 'c']) await checkAll(textsNamed(name + round, 64));
         }`,
      ),
    ),
  );
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  expect(cache.problem).toBeUndefined();
  expect((await cache.stats()).entries).toBe(3 * 12 * 64);
  for (const name of names) {
    const texts = textsNamed(`${name}11`, 64);
    expect(bitsOf(await cache.get('space', texts))).toEqual(bitsFor(texts));
  }
  await cache.close();
  expect(integrity(folder)).toBe('ok');
});

test('processes that make the same cache at once all succeed', async () => {
  const folder = join(await temporaryFolder(), 'new');
  await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => runProcess(folder, `await putKept(entriesFor(['${name}']));`)),
  );
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  expect((await cache.get('space', ['a', 'b', 'c', 'd'])).every(Boolean)).toBe(true);
  await cache.close();
});

test('killed again and again in the middle of writing and making room, it opens each time with every vector intact', async () => {
  const folder = await temporaryFolder();
  const maxBytes = 1_500_000;
  for (let kill = 0; kill < 7; kill += 1) {
    const child = startProcess(
      folder,
      `for (let round = 0; ; round += 1) {
         await cache.put('space', entriesFor(textsNamed('kill ${kill} ' + round, 128)));
         say(round);
       }`,
      maxBytes,
    );
    const rounds: string[] = [];
    for await (const round of createInterface({ input: child.stdout })) {
      rounds.push(round);
      if (rounds.length === 1 + kill) child.kill('SIGKILL');
    }
    const cache = await openVectorCache({ folder, maxBytes });
    const texts = textsNamed(`kill ${kill} ${rounds.at(-1)}`, 128);
    expect(bitsOf(await cache.get('space', texts))).toEqual(bitsFor(texts));
    const earlier = textsNamed(`kill ${kill - 1} 0`, 128);
    const found = bitsOf(await cache.get('space', earlier));
    expect(found).toEqual(bitsFor(earlier).map((bits, index) => found[index] && bits));
    expect(cache.problem).toBeUndefined();
    expect((await cache.stats()).damaged).toBe(0);
    await cache.close();
    expect(integrity(folder)).toBe('ok');
  }
});

test.skipIf(process.platform === 'win32')(
  'on a full disk what was kept is still found, and nothing fails',
  async () => {
    const folder = await temporaryFolder();
    await runProcess(
      folder,
      `for (let round = 0; round < 40; round += 1) await cache.put('space', entriesFor(textsNamed('round' + round, 64)));
     if (!['store-unusable'].includes(cache.problem?.code)) throw cache.problem ?? new Error('the disk was not full');
     if (!(await cache.get('space', ['round0 1']))[0]) throw new Error('nothing was found');`,
      // Files may have 1 MiB: what a full disk answers, without one.
      { shell: 'ulimit -f 1024;' },
    );
    const cache = await openVectorCache({ folder, maxBytes: roomy });
    const texts = textsNamed('round0', 64);
    expect(bitsOf(await cache.get('space', texts))).toEqual(bitsFor(texts));
    await cache.close();
    expect(integrity(folder)).toBe('ok');
  },
);

function script(folder: string, body: string, maxBytes: number): string {
  return `
    import { writeSync } from 'node:fs';
    import { isDeepStrictEqual } from 'node:util';
    import { openVectorCache } from ${moduleUrl('./vector-cache.ts')};
    import { entriesFor, textsNamed, vectorOf } from ${moduleUrl('./vectors.fixture.ts')};
    const say = (line) => writeSync(1, line + '\\n');
    const cache = await openVectorCache({ folder: ${JSON.stringify(folder)}, maxBytes: ${maxBytes} });
    // A busy cache may pass vectors by; who wants to see them all puts them until they are there.
    const putKept = async (entries) => {
      const texts = entries.map(({ text }) => text);
      do await cache.put('space', entries);
      while (!(await cache.get('space', texts)).every(Boolean));
    };
    const checkAll = async (texts) => {
      const found = await cache.get('space', texts);
      for (const [index, text] of texts.entries()) {
        if (found[index] && !isDeepStrictEqual(found[index], vectorOf(text))) throw new Error(text);
      }
    };
    ${body}`;
}

const flags = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning', '--input-type=module'];

function startProcess(
  folder: string,
  body: string,
  maxBytes: number = roomy,
): ChildProcessByStdio<null, Readable, null> {
  return spawn(process.execPath, [...flags, '-e', script(folder, body, maxBytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function runProcess(folder: string, body: string, { shell }: { shell?: string } = {}): Promise<void> {
  const program = `${script(folder, body, roomy)}\nawait cache.close();`;
  const child = shell
    ? spawn('sh', ['-c', `${shell} exec "$@"`, 'sh', process.execPath, ...flags, '-e', program], {
        stdio: 'inherit',
      })
    : spawn(process.execPath, [...flags, '-e', program], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
}

function moduleUrl(relative: string): string {
  return JSON.stringify(new URL(relative, import.meta.url).href);
}

function integrity(folder: string): unknown {
  const database = new DatabaseSync(join(folder, 'vectors.db'));
  const row = database.prepare('PRAGMA integrity_check').get();
  database.close();
  return row?.integrity_check;
}
