import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draws } from '../../test/property-draws.ts';
import { type Member, paxMember, tarArchive, tarMember } from './tar-archive.fixture.ts';
import { tarEntries } from './tar-entries.ts';

/** The bytes in chunks of the given sizes, over and over. */
async function* inChunks(bytes: Uint8Array, sizes: readonly number[] = [4096]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function readAll(bytes: Uint8Array, sizes?: readonly number[]): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const entry of tarEntries(inChunks(bytes, sizes))) {
    const parts: Uint8Array[] = [];
    if (entry.isFile) for await (const part of entry.content()) parts.push(Uint8Array.from(part));
    found.push([entry.path, Buffer.concat(parts).toString()]);
  }
  return found;
}

describe('reads', () => {
  test('files in their order, whatever the chunks and sizes', async () => {
    const content = fc.string({ maxLength: 1500 });
    const members = fc.array(fc.record({ path: fc.stringMatching(/^[a-z]{1,20}$/), content }), {
      maxLength: 5,
    });
    const sizes = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(members, sizes, async (written, chunks) => {
        const expected = written.map(({ path, content }) => [path, Buffer.from(content).toString()]);
        expect(await readAll(tarArchive(written), chunks)).toEqual(expected);
      }),
      { numRuns: draws(60) },
    );
  });

  test('paths of any length from pax headers and GNU long names', async () => {
    const long = `${'folder-é/'.repeat(30)}model.onnx`;
    const members: Member[] = [
      paxMember({ mtime: '1.5', path: long }),
      { path: 'cut', content: 'by pax' },
      { path: '././@LongLink', type: 'L', content: `${long}\0` },
      { path: 'cut', content: 'by gnu' },
      { path: 'plain', content: 'by itself' },
    ];
    expect(await readAll(tarArchive(members))).toEqual([
      [long, 'by pax'],
      [long, 'by gnu'],
      ['plain', 'by itself'],
    ]);
  });

  test('the two halves of a long ustar path as one', async () => {
    const header = tarMember({ path: 'model.onnx', content: 'x' });
    header.write('deep/folder', 345);
    const sum = header
      .subarray(0, 512)
      .reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    expect(await readAll(header)).toEqual([['deep/folder/model.onnx', 'x']]);
  });

  test('past what nobody asks for, and past an archive without an end mark', async () => {
    const bytes = Buffer.concat(
      ['a', 'b', 'c'].map((path) => tarMember({ path, content: path.repeat(700) })),
    );
    const seen: string[] = [];
    for await (const entry of tarEntries(inChunks(bytes, [100]))) {
      seen.push(entry.path);
      if (entry.path === 'b') for await (const _ of entry.content()) break;
    }
    expect(seen).toEqual(['a', 'b', 'c']);
  });
});

test('distinguishes files from folders, links and whatever else has a name', async () => {
  const kinds: boolean[] = [];
  const members = ['0', '1', '2', '3', '5', '7'].map((type) => ({ path: 'x', type }));
  const bytes = tarArchive([...members, { path: 'folder/' }]);
  for await (const entry of tarEntries(inChunks(bytes))) kinds.push(entry.isFile);
  expect(kinds).toEqual([true, false, false, false, false, false, false]);
});

test('lets go of the stream when its reader stops early', async () => {
  let closed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield* inChunks(tarArchive([{ path: 'a' }, { path: 'b' }]), [512]);
    } finally {
      closed = true;
    }
  }
  for await (const _ of tarEntries(source())) break;
  expect(closed).toBe(true);
});

describe('refuses', () => {
  const good = tarMember({ path: 'a', content: 'x'.repeat(2000) });

  test.each([
    ['what ends inside a header', good.subarray(0, 300)],
    ['what ends inside a file', good.subarray(0, 1200)],
    ['what is no archive', Buffer.from('hello '.repeat(200))],
    ['a header that was changed', Buffer.from(good).fill('b', 0, 1)],
    [
      'a pax header that lies about its length',
      tarArchive([{ path: 'p', type: 'x', content: '99 path=a\n' }]),
    ],
    ['a pax header without an end', tarArchive([{ path: 'p', type: 'x', content: 'nonsense' }])],
    ['a size that is none', tarArchive([paxMember({ size: '-5' }), { path: 'a' }])],
    ['a name of megabytes', tarArchive([{ path: 'p', type: 'L', content: 'n'.repeat(2 ** 20 + 1) }])],
  ])('%s', async (_, bytes) => {
    await expect(readAll(bytes)).rejects.toMatchObject({ code: 'model-not-found' });
  });

  test('any bytes with an error of the catalogue, never with another one', async () => {
    const source = await readFile(new URL(import.meta.url));
    await fc.assert(
      fc.asyncProperty(fc.nat(source.length), fc.uint8Array({ maxLength: 3000 }), async (start, noise) => {
        const bytes = Buffer.concat([good, noise, source.subarray(start, start + 600)]);
        await readAll(bytes).catch((error) => expect(error).toMatchObject({ code: 'model-not-found' }));
      }),
      { numRuns: draws(100) },
    );
  });
});
