import { describe, expect, test } from 'vitest';
import type { Embedder } from '../contracts/embedder.ts';
import { interrupted } from '../core/errors.ts';
import { createHashingEmbedder } from '../drivers/embedders/hashing.ts';
import { embedderConformance } from './embedder-conformance.ts';

/** The promises that an embedder breaks. */
async function brokenBy(change: (good: Embedder) => Partial<Embedder>): Promise<string[]> {
  const broken: string[] = [];
  for (const { promise, check } of embedderConformance) {
    const open = async () => {
      const good = attentive(createHashingEmbedder());
      return Object.assign(Object.create(good), change(good)) as Embedder;
    };
    await check(open).catch(() => broken.push(promise));
  }
  return broken;
}

/** The embedder with an ear for signals. */
function attentive(embedder: Embedder): Embedder {
  return {
    ...embedder,
    async embed(texts, options) {
      if (options.signal?.aborted) throw interrupted();
      return embedder.embed(texts, options);
    },
  };
}

/** An embedder whose vectors are changed on their way out. */
const spoiling =
  (spoil: (vectors: Float32Array[], texts: readonly string[]) => Float32Array[]) =>
  (good: Embedder): Partial<Embedder> => ({
    embed: async (texts, options) => spoil(await good.embed(texts, options), texts),
  });

describe('the suite', () => {
  test('has promises that read differently', () => {
    const promises = embedderConformance.map(({ promise }) => promise);
    expect(new Set(promises).size).toBe(promises.length);
  });

  test('finds nothing wrong with an embedder that keeps them', async () => {
    expect(await brokenBy(() => ({}))).toEqual([]);
  });

  test.each<[string, (good: Embedder) => Partial<Embedder>, string]>([
    [
      'vectors of another length than one',
      spoiling((vectors) => vectors.map((vector) => vector.map((value) => value * 1.01))),
      'gives one finite vector of unit length for each text, in either role',
    ],
    [
      'values that are not finite',
      spoiling((vectors) => vectors.map((vector) => vector.with(0, Number.NaN))),
      'gives one finite vector of unit length for each text, in either role',
    ],
    ['reversed answers', spoiling((vectors) => vectors.toReversed()), 'keeps the order of the texts'],
    [
      'vectors that depend on their neighbours',
      spoiling((vectors, texts) => (texts.length > 3 ? vectors.map(() => unit(texts.length)) : vectors)),
      'gives a text the same vector with any other texts in the call',
    ],
    [
      'a cut-off tail',
      (good) => ({
        embed: (texts, options) =>
          good.embed(
            texts.map((text) => text.slice(0, 1000)),
            options,
          ),
      }),
      'sees a very long text to its end',
    ],
    [
      'a deaf ear for signals',
      (good) => ({ embed: (texts, { as }) => good.embed(texts, { as }) }),
      'is interrupted before it begins when the caller has stopped already',
    ],
    [
      'a wrong statement of its dimensions',
      () => ({ dimensions: 65 }),
      'knows the length of its vectors after its first call, and keeps it',
    ],
    [
      'a limit that is no number of texts',
      (good) => ({ limits: { ...good.limits, batchTexts: 0 } }),
      'states limits that a caller can keep to',
    ],
    [
      'a count that includes special tokens',
      (good) => ({ countTokens: (text) => good.countTokens(text) + 2 }),
      'counts no tokens in an empty text, and more in a longer one',
    ],
    [
      'another name at each opening',
      () => ({ fingerprint: `x${Math.random()}` }),
      'names its vector space the same at every opening, before and after its first call',
    ],
    ['a key among its facts', () => ({ facts: { key: 'sk-123' } }), 'states facts in words, without secrets'],
    [
      'an error for an empty text',
      spoiling((vectors, texts) => (texts.includes('') ? [] : vectors)),
      'embeds an empty text',
    ],
  ])('finds %s', async (_, change, promise) => {
    expect(await brokenBy(change)).toContain(promise);
  });
});

function unit(seed: number): Float32Array {
  return Float32Array.from({ length: 64 }, (_, at) => (at === seed % 64 ? 1 : 0));
}
