import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { VectorCache } from '../../contracts/vector-cache.ts';
import { openVectorCache } from './vector-cache.ts';
import { bitsOf, roomy, tamper, textsNamed, vectorOf } from './vectors.fixture.ts';

const hour = 3_600_000;
const sketch = Uint8Array.of(1, 2, 3, 4, 5, 6);
const entry = (text: string) => ({ text, vector: vectorOf(text) });

test('a sketch is kept with the vector of its text and its space, in this process and the next', async () => {
  const folder = await temporaryFolder();
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  await cache.put('one', [{ ...entry('a'), sketch }, entry('b')]);
  const expected = [sketch, undefined, undefined];
  expect((await cache.sketches('one', ['a', 'b', 'c'])).map(bytes)).toEqual(expected.map(bytes));
  expect(await cache.sketches('two', ['a'])).toEqual([undefined]);
  await cache.close();
  const again = await openVectorCache({ folder, maxBytes: roomy, readOnly: true });
  expect((await again.sketches('one', ['a', 'b', 'c'])).map(bytes)).toEqual(expected.map(bytes));
  expect(bitsOf(await again.get('one', ['a']))).toEqual(bitsOf([vectorOf('a')]));
  await again.close();
});

test('a vector that is made again without a sketch keeps the one it had', async () => {
  const cache = await openVectorCache({ folder: await temporaryFolder(), maxBytes: roomy });
  await cache.put('space', [{ ...entry('a'), sketch }]);
  await cache.put('space', [entry('a')]);
  expect((await cache.sketches('space', ['a'])).map(bytes)).toEqual([bytes(sketch)]);
  await cache.close();
});

test('a sketch that is not what was written is not given, and its vector is', async () => {
  const folder = await temporaryFolder();
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  await cache.put('space', [{ ...entry('a'), sketch }]);
  tamper(folder, "UPDATE sketches SET content = x'00112233445566778899aabbccdd'");
  expect(await cache.sketches('space', ['a'])).toEqual([undefined]);
  expect(bitsOf(await cache.get('space', ['a']))).toEqual(bitsOf([vectorOf('a')]));
  await cache.close();
});

test('a file from before there were sketches keeps its vectors and takes sketches, unless it may not be written', async () => {
  const folder = await temporaryFolder();
  const first = await openVectorCache({ folder, maxBytes: roomy });
  await first.put('space', [entry('a')]);
  await first.close();
  tamper(folder, 'DROP TRIGGER vector_removed', 'DROP TABLE sketches');
  const reader = await openVectorCache({ folder, maxBytes: roomy, readOnly: true });
  expect(await reader.sketches('space', ['a'])).toEqual([undefined]);
  expect(reader.problem).toBeUndefined();
  await reader.close();
  const cache = await openVectorCache({ folder, maxBytes: roomy });
  expect(bitsOf(await cache.get('space', ['a']))).toEqual(bitsOf([vectorOf('a')]));
  await cache.put('space', [{ ...entry('a'), sketch }]);
  expect((await cache.sketches('space', ['a'])).map(bytes)).toEqual([bytes(sketch)]);
  await cache.close();
});

test('where room is short sketches give way before vectors, those that were used least recently first', async () => {
  const folder = await temporaryFolder();
  let now = 0;
  const cache = await openVectorCache({ folder, maxBytes: 2 ** 20, now: () => now });
  const texts = textsNamed('chunk', 300);
  const large = new Uint8Array(3_000);
  for (const half of [texts.slice(0, 150), texts.slice(150)]) {
    await cache.put(
      'space',
      half.map((text) => ({ ...entry(text), sketch: large })),
    );
    now += hour;
  }
  expect((await cache.get('space', texts)).every(Boolean)).toBe(true);
  const kept = (await cache.sketches('space', texts)).map(Boolean);
  expect(kept.slice(0, 150)).not.toContain(true);
  expect(kept).toContain(true);
  await cache.close();
});

test('a sketch that was used lately stays where others give way', async () => {
  const folder = await temporaryFolder();
  let now = 0;
  const open = (maxBytes: number) => openVectorCache({ folder, maxBytes, now: () => now });
  const large = new Uint8Array(3_000);
  const [old, young, next] = ['old', 'young', 'next'].map((name) => textsNamed(name, 260)) as [
    string[],
    string[],
    string[],
  ];
  const put = (cache: VectorCache, texts: readonly string[]) =>
    cache.put(
      'space',
      texts.map((text) => ({ ...entry(text), sketch: large })),
    );
  const filled = await open(roomy);
  for (const texts of [old, young]) {
    await put(filled, texts);
    now += hour;
  }
  expect((await filled.sketches('space', old)).every(Boolean)).toBe(true);
  const { bytes: size } = await filled.stats();
  await filled.close();
  const cache = await open(Math.ceil(size * 1.1));
  await put(cache, next.slice(0, 100));
  expect((await cache.sketches('space', old)).every(Boolean)).toBe(true);
  expect((await cache.sketches('space', young)).every(Boolean)).toBe(false);
  await cache.close();
});

function bytes(found: Uint8Array | undefined): readonly number[] | undefined {
  return found && [...found];
}
