import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../../../../test/property-draws.ts';
import { addVectors, putDocument } from '../../../../index/write.ts';
import { chunkEntries, documentRecord, unitVector } from '../../../../testing/documents.ts';
import { openSqliteStore } from '../store.ts';
import { BestEntries } from './best.ts';
import { VectorMatrix } from './matrix.ts';
import { quantiseQuery, quantiseVector } from './quantise.ts';

test('finds what brute force over full precision finds, with nearly the same scores', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-nearest-'));
  const store = openSqliteStore(join(folder, 'index.sqlite'));
  const document = documentRecord('a.md');
  const entries = chunkEntries(
    document,
    Array.from({ length: 2000 }, (_, index) => `text ${index}`),
  );
  const vectors = entries.map(({ chunk }) => unitVector(chunk.text, 384));
  await putDocument(store, { document, chunks: entries });
  await addVectors(
    store,
    'space',
    entries.map(({ embeddingKey, chunk }) => ({
      embeddingKey,
      vector: vectors[chunk.ordinal] ?? vectors[0] ?? new Float32Array(),
    })),
  );
  let agreed = 0;
  for (let number = 0; number < 30; number += 1) {
    const question = unitVector(`question ${number}`, 384);
    const exact = vectors.map((vector) => dot(vector, question));
    const best = [...exact.keys()].sort((one, other) => (exact[other] ?? 0) - (exact[one] ?? 0)).slice(0, 10);
    const found = await store.searchVector('space', question, { limit: 10 });
    agreed += found.filter(({ chunk }) => best.includes(chunk.ordinal)).length;
    for (const { chunk, score } of found)
      expect(Math.abs(score - (exact[chunk.ordinal] ?? 9))).toBeLessThan(0.01);
  }
  expect(agreed).toBeGreaterThanOrEqual(0.95 * 300);
  await store.close();
  await rm(folder, { recursive: true });
});

test('scores equal directions with 1 at any length and any number of dimensions', () => {
  const lengths = fc.constantFrom(1e-30, 1e-3, 1, 1e10, 1e37);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), lengths, lengths, (dimensions, one, other) => {
      const matrix = new VectorMatrix(dimensions);
      matrix.set(7, quantiseVector(new Float32Array(dimensions).fill(one)));
      const [found] = matrix.nearest(quantiseQuery(new Float32Array(dimensions).fill(other)), 1);
      expect(found?.embedding).toBe(7);
      expect(found?.score).toBeCloseTo(1, 6);
    }),
    { numRuns: draws(50) },
  );
});

test('a matrix holds what was set last and not dropped since, through growth and gaps', () => {
  const change = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        set: fc.integer({ min: 1, max: 3000 }),
        angle: fc.integer({ min: 0, max: 359 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ keep: fc.integer({ min: 2, max: 5 }) }) },
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const matrix = new VectorMatrix(2);
      const model = new Map<number, number>();
      for (let embedding = 1; embedding <= 1100; embedding += 1) {
        matrix.set(embedding, quantiseVector(direction(embedding % 360)));
        model.set(embedding, embedding % 360);
      }
      for (const step of changes) {
        if ('set' in step) {
          matrix.set(step.set, quantiseVector(direction(step.angle)));
          model.set(step.set, step.angle);
        } else {
          for (const embedding of model.keys()) if (embedding % step.keep === 0) model.delete(embedding);
          matrix.retain(new Set(model.keys()));
        }
      }
      const found = matrix.nearest(quantiseQuery(direction(0)), 10_000);
      expect(found.map(({ embedding }) => embedding).sort(ascending)).toEqual(
        [...model.keys()].sort(ascending),
      );
      for (const { embedding, score } of found) {
        expect(score).toBeCloseTo(Math.cos(((model.get(embedding) ?? 0) / 180) * Math.PI), 1);
      }
      const among = [...model.keys()].filter((embedding) => embedding % 2 === 1);
      const admitted = matrix.nearest(quantiseQuery(direction(0)), 10_000, [...among, ...among, -1]);
      expect(admitted.map(({ embedding }) => embedding).sort(ascending)).toEqual(among.sort(ascending));
    }),
    { numRuns: draws(20) },
  );
});

test('a vector that memory cannot take in leaves no place behind, and none that was there is lost', () => {
  const matrix = new VectorMatrix(2);
  matrix.set(1, quantiseVector(direction(90)));
  const unfit = {
    scale: 1,
    get components(): Int8Array {
      throw new RangeError('no memory');
    },
  };
  for (const key of [1, 2]) expect(() => matrix.set(key, unfit)).toThrow(RangeError);
  expect(matrix.size).toBe(1);
  matrix.set(2, quantiseVector(direction(0)));
  const found = matrix.nearest(quantiseQuery(direction(0)), 10);
  expect(found.map(({ embedding, score }) => [embedding, Math.round(score)])).toEqual([
    [2, 1],
    [1, 0],
  ]);
});

test('keeps the best entries, however they arrive', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -50, max: 50 })),
      fc.integer({ min: 1, max: 20 }),
      (scores, limit) => {
        const best = new BestEntries(limit);
        for (const [entry, score] of scores.entries()) best.offer(entry, score);
        const expected = scores.toSorted((one, other) => other - one).slice(0, limit);
        expect(best.sorted().map(({ score }) => score)).toEqual(expected);
        for (const { entry, score } of best.sorted()) expect(scores[entry]).toBe(score);
      },
    ),
  );
});

function direction(degrees: number): Float32Array {
  return Float32Array.of(Math.cos((degrees / 180) * Math.PI), Math.sin((degrees / 180) * Math.PI));
}

function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}

function ascending(one: number, other: number): number {
  return one - other;
}
