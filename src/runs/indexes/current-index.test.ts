import { describe, expect, test } from 'vitest';
import type { Store } from '../../contracts/store.ts';
import { QuarryError } from '../../core/errors.ts';
import { createCurrentIndex } from './current-index.ts';

const store = (name: string) => ({ name }) as unknown as Store;

/** An index whose store is the first of these, and the next one each time that somebody prepares to write. */
function replacedBy(stores: readonly Store[]) {
  const [first] = stores;
  let current = first as Store;
  const left = stores.slice(1);
  const distrusted: string[] = [];
  const parts = {
    folder: '/project',
    index: {
      store: async () => current,
      distrust: async ({ code }: QuarryError) => {
        distrusted.push(code);
      },
    },
    prepareToWrite: async () => {
      current = left.shift() ?? current;
    },
    rebuild: async ({ vectors }: { readonly vectors: boolean }) => ({
      warnings: [new QuarryError('index-stale', `Rebuilt, vectors: ${vectors}.`, 'Wait.')],
    }),
  };
  return { ...createCurrentIndex(parts), distrusted };
}

describe('what is written', () => {
  test('is in the index that answers afterwards, also where another one took its place meanwhile', async () => {
    const [old, next] = [store('old'), store('next')];
    const written: Store[] = [];
    const { inCurrent } = replacedBy([old, next]);
    const outcome = await inCurrent(async (current) => {
      written.push(current);
      // That the previous one can no longer be written says nothing about the next.
      if (current === old) throw new TypeError('closed');
      return written.length;
    });
    expect(outcome).toBe(2);
    expect(written).toEqual([old, next]);
  });

  test('fails as the index that answers fails', async () => {
    const { inCurrent } = replacedBy([store('only')]);
    await expect(inCurrent(() => Promise.reject(new TypeError('full')))).rejects.toThrow('full');
  });

  test('is given up where another process replaces the index each time', async () => {
    const { inCurrent } = replacedBy(Array.from({ length: 20 }, (_, at) => store(`index ${at}`)));
    await expect(inCurrent(async () => 1)).rejects.toMatchObject({
      code: 'store-busy',
      message: expect.stringContaining('/project was replaced 10 times'),
    });
  });
});

describe('an index of somebody else', () => {
  const foreign = new QuarryError('store-foreign', 'Not yours.', 'Look at it.');

  test('is set aside, and a new one is filled and asked', async () => {
    const { believed, distrusted } = replacedBy([store('theirs')]);
    const seen: unknown[] = [];
    const answer = await believed(async (rebuilt) => {
      seen.push(rebuilt?.warnings[0]?.message);
      if (!rebuilt) throw foreign;
      return 'found';
    }, true);
    expect(answer).toBe('found');
    expect(distrusted).toEqual(['store-foreign']);
    expect(seen).toEqual([undefined, 'Rebuilt, vectors: true.']);
  });

  test('is no reason to ask again for another failure', async () => {
    const { believed, distrusted } = replacedBy([store('mine')]);
    await expect(believed(() => Promise.reject(new TypeError('broken')))).rejects.toThrow('broken');
    expect(distrusted).toEqual([]);
  });
});
