import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Embedder } from '../../contracts/embedder.ts';
import type { VectorCache } from '../../contracts/vector-cache.ts';
import type { TextToEmbed, VectorOutcome } from '../../contracts/vector-source.ts';
import { QuarryError } from '../../core/errors.ts';
import { createVectorSource, type MakeVectors } from './create-vector-source.ts';
import { openVectorCache } from './vector-cache.ts';
import { entriesFor, roomy, textsNamed, vectorOf } from './vectors.fixture.ts';

const dimensions = 8;

const embedder: Embedder = {
  fingerprint: 'space',
  dimensions,
  maxTokens: 512,
  limits: { batchTexts: 16, concurrency: 1, gainsFromSize: false },
  facts: {},
  countTokens: (text) => text.length,
  embed: async (texts) => texts.map((text) => vectorOf(text, dimensions)),
  async close() {},
};

/** Makes vectors in small batches and remembers for which texts; texts that begin with "refuse" are refused. */
function recordingMake(batch = 16): { make: MakeVectors; readonly made: string[] } {
  const made: string[] = [];
  async function* make<Owner>(
    texts: AsyncIterable<TextToEmbed<Owner>>,
  ): AsyncGenerator<VectorOutcome<Owner>> {
    let waiting: TextToEmbed<Owner>[] = [];
    const embedAll = async (): Promise<VectorOutcome<Owner>> => {
      const vectors = await embedder.embed(
        waiting.map(({ text }) => text),
        { as: 'chunk' },
      );
      const entries = waiting.map(({ owner }, index) => ({
        owner,
        vector: vectors[index] ?? new Float32Array(),
      }));
      waiting = [];
      return { kind: 'vectors', from: 'model', entries };
    };
    for await (const item of texts) {
      made.push(item.text);
      if (item.text.startsWith('refuse')) yield { kind: 'refused', owner: item.owner, error: refusal };
      else waiting.push(item);
      if (waiting.length >= batch) yield embedAll();
    }
    if (waiting.length > 0) yield embedAll();
  }
  return { make, made };
}

const refusal = new QuarryError('embedding-failed', 'No.', 'Change the text.');

async function* stream(texts: readonly string[]): AsyncGenerator<TextToEmbed<number>> {
  for (const [owner, text] of texts.entries()) yield { text, owner };
}

async function openCache(): Promise<VectorCache> {
  return openVectorCache({ folder: await temporaryFolder(), maxBytes: roomy });
}

interface Tally {
  readonly vectors: Map<number, Float32Array>;
  readonly refused: number[];
  readonly from: { model: number; cache: number };
}

async function collect(outcomes: AsyncIterable<VectorOutcome<number>>): Promise<Tally> {
  const tally: Tally = { vectors: new Map(), refused: [], from: { model: 0, cache: 0 } };
  for await (const outcome of outcomes) {
    if (outcome.kind === 'refused') {
      tally.refused.push(outcome.owner);
      continue;
    }
    tally.from[outcome.from] += outcome.entries.length;
    for (const { owner, vector } of outcome.entries) {
      expect(tally.vectors.has(owner)).toBe(false);
      tally.vectors.set(owner, vector);
    }
  }
  return tally;
}

describe('a source with a cache', () => {
  test('lets go of vectors that are delivered and kept, while the run goes on', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const texts = textsNamed('text', 1000);
    const source = createVectorSource({ embedder, cache: await openCache(), make: recordingMake(1).make });
    const delivered: WeakRef<Float32Array>[] = [];
    for await (const outcome of source.vectorsFor(stream(texts))) {
      if (outcome.kind === 'vectors')
        for (const { vector } of outcome.entries) delivered.push(new WeakRef(vector));
      if (delivered.length < 900) continue;
      await nextTurn();
      collectGarbage();
      break;
    }
    // The last ones wait for a write of 256 together.
    expect(delivered.filter((vector) => vector.deref()).length).toBeLessThan(300);
  });

  test('emits every text exactly once with its own vector, whatever is remembered, repeated or refused', async () => {
    const cache = await openCache();
    const text = fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom('refuse a', 'refuse b'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 700 }),
        fc.integer({ min: 1, max: 40 }),
        async (texts, batch) => {
          const { make } = recordingMake(batch);
          const { vectors, refused } = await collect(
            createVectorSource({ embedder, cache, make }).vectorsFor(stream(texts)),
          );
          expect(vectors.size + refused.length).toBe(texts.length);
          for (const [owner, vector] of vectors)
            expect(vector).toEqual(vectorOf(texts[owner] ?? '', dimensions));
          expect(refused.every((owner) => texts[owner]?.startsWith('refuse'))).toBe(true);
          expect(new Set(refused).size).toBe(refused.length);
        },
      ),
      { numRuns: draws(40) },
    );
    await cache.close();
  });

  test('asks the model only for what nobody has asked before', async () => {
    const cache = await openCache();
    const texts = textsNamed('text', 600);
    await cache.put('space', entriesFor(texts.slice(0, 400), dimensions));
    const first = recordingMake();
    const source = createVectorSource({ embedder, cache, make: first.make });
    expect((await collect(source.vectorsFor(stream(texts)))).from).toEqual({ cache: 400, model: 200 });
    expect(first.made).toEqual(texts.slice(400));
    const second = recordingMake();
    const again = createVectorSource({ embedder, cache, make: second.make });
    expect((await collect(again.vectorsFor(stream(texts)))).from).toEqual({ cache: 600, model: 0 });
    expect(second.made).toEqual([]);
    await cache.close();
  });

  test('makes the vector of equal texts once', async () => {
    const cache = await openCache();
    const { make, made } = recordingMake();
    const source = createVectorSource({ embedder, cache, make });
    const { vectors } = await collect(source.vectorsFor(stream(Array<string>(3000).fill('same'))));
    expect([vectors.size, made.length]).toEqual([3000, 1]);
    await cache.close();
  });

  test('reads ahead no further than a few pages when nobody takes the outcomes', async () => {
    const cache = await openCache();
    const texts = textsNamed('text', 10_000);
    await cache.put('space', entriesFor(texts, dimensions));
    let read = 0;
    async function* counted(): AsyncGenerator<TextToEmbed<number>> {
      for (const [owner, text] of texts.entries()) {
        read += 1;
        yield { text, owner };
      }
    }
    const { make } = recordingMake();
    const outcomes = createVectorSource({ embedder, cache, make })
      .vectorsFor(counted())
      [Symbol.asyncIterator]();
    await outcomes.next();
    for (let turn = 0; turn < 200; turn += 1) await nextTurn();
    expect(read).toBeLessThan(1500);
    await outcomes.return?.();
    await cache.close();
  });

  test('does not wait for a full page of a stream that waits for its first vector', async () => {
    const cache = await openCache();
    const first = Promise.withResolvers<void>();
    async function* waiting(): AsyncGenerator<TextToEmbed<string>> {
      yield { text: 'first', owner: 'first' };
      await first.promise;
      yield { text: 'second', owner: 'second' };
    }
    await cache.put('space', entriesFor(['first'], dimensions));
    const emitted: string[] = [];
    const { make } = recordingMake(1);
    for await (const outcome of createVectorSource({ embedder, cache, make }).vectorsFor(waiting())) {
      if (outcome.kind === 'vectors') emitted.push(...outcome.entries.map(({ owner }) => owner));
      first.resolve();
    }
    expect(emitted).toEqual(['first', 'second']);
    await cache.close();
  });

  test('emits and keeps what was made before the backend failed, then fails as it did', async () => {
    const cache = await openCache();
    const unreachable = new QuarryError('provider-unreachable', 'Gone.', 'Try later.');
    const { make } = recordingMake(10);
    const failing: MakeVectors = async function* (texts) {
      let batches = 0;
      for await (const outcome of make(texts, {})) {
        if (batches === 3) throw unreachable;
        batches += 1;
        yield outcome;
      }
    };
    const emitted: number[] = [];
    const run = async (): Promise<void> => {
      const source = createVectorSource({ embedder, cache, make: failing });
      for await (const outcome of source.vectorsFor(stream(textsNamed('text', 100)))) {
        if (outcome.kind === 'vectors') emitted.push(...outcome.entries.map(({ owner }) => owner));
      }
    };
    await expect(run()).rejects.toBe(unreachable);
    expect(emitted).toHaveLength(30);
    expect((await cache.get('space', textsNamed('text', 30))).every(Boolean)).toBe(true);
    await cache.close();
  });

  test('passes on what the stream of texts throws', async () => {
    const cache = await openCache();
    const broken = new QuarryError('file-unreadable', 'Gone.', 'Look for it.');
    async function* breaking(): AsyncGenerator<TextToEmbed<number>> {
      yield { text: 'a', owner: 1 };
      throw broken;
    }
    const source = createVectorSource({ embedder, cache, make: recordingMake().make });
    await expect(collect(source.vectorsFor(breaking()))).rejects.toBe(broken);
    await cache.close();
  });

  test('stops at once when it is aborted, even where the stream of texts never continues', async () => {
    const cache = await openCache();
    const stop = new AbortController();
    async function* endless(): AsyncGenerator<TextToEmbed<number>> {
      yield { text: 'a', owner: 1 };
      stop.abort();
      await new Promise(() => {});
    }
    const source = createVectorSource({ embedder, cache, make: recordingMake().make });
    await expect(collect(source.vectorsFor(endless(), { signal: stop.signal }))).rejects.toMatchObject({
      code: 'interrupted',
    });
    await cache.close();
  });

  test('a reader that leaves ends the stream of texts, and what was made is kept', async () => {
    const cache = await openCache();
    let ended = false;
    async function* texts(): AsyncGenerator<TextToEmbed<number>> {
      try {
        for (let number = 0; ; number += 1) yield { text: `text ${number}`, owner: number };
      } finally {
        ended = true;
      }
    }
    const { make } = recordingMake(10);
    for await (const _ of createVectorSource({ embedder, cache, make }).vectorsFor(texts())) break;
    expect(ended).toBe(true);
    expect((await cache.get('space', textsNamed('text', 10))).every(Boolean)).toBe(true);
    await cache.close();
  });

  test('does not believe a remembered vector of another length than the model gives', async () => {
    const cache = await openCache();
    await cache.put('space', entriesFor(['a'], 4));
    const source = createVectorSource({ embedder, cache, make: recordingMake().make });
    const { vectors } = await collect(source.vectorsFor(stream(['a'])));
    expect(vectors.get(0)).toEqual(vectorOf('a', dimensions));
    expect((await collect(source.vectorsFor(stream(['a'])))).from).toEqual({ cache: 1, model: 0 });
    await cache.close();
  });

  test('continues when the cache cannot be used', async () => {
    const folder = await temporaryFolder({ cache: 'a file' });
    const cache = await openVectorCache({ folder: `${folder}/cache`, maxBytes: roomy });
    const source = createVectorSource({ embedder, cache, make: recordingMake().make });
    const { from } = await collect(source.vectorsFor(stream(textsNamed('text', 300))));
    expect(from).toEqual({ cache: 0, model: 300 });
    expect(cache.problem).toMatchObject({ code: 'store-unusable' });
    await cache.close();
  });
});

test('a source without a cache makes every vector', async () => {
  const { make, made } = recordingMake();
  const source = createVectorSource({ embedder, make });
  expect((await collect(source.vectorsFor(stream(['a', 'b', 'a'])))).from).toEqual({ cache: 0, model: 3 });
  expect(made).toEqual(['a', 'b', 'a']);
});
