import assert from 'node:assert/strict';
import type { VectorEntry } from '../contracts/store.ts';
import type { VectorEngine } from '../contracts/vector-engine.ts';
import { cosine } from '../core/vectors/cosine.ts';
import { angleVector, unitVector } from './documents.ts';

/** One promise of a vector engine and the function that checks it. */
export interface VectorEngineCheck {
  /** The promise in the present tense, fit for a test's title. */
  readonly promise: string;
  /** Rejects with an `AssertionError` when the promise is broken. The engine has no space of this name, which is for this check alone. */
  check(engine: VectorEngine, space: string): Promise<void>;
}

/** Everything that a vector engine promises, as checks that any test runner can loop over. */
export const vectorEngineConformance: readonly VectorEngineCheck[] = Object.entries({
  'gives vectors back by key, each once, with their direction': async (engine, space) => {
    const entries = numbered(40);
    await filled(engine, space, entries);
    const keys = entries.map(({ embeddingKey }) => embeddingKey);
    const found = await engine.read(space, [...keys.slice(0, 30), 'unknown', ...keys.slice(0, 30)]);
    assert.deepEqual(keysOf(found), keys.slice(0, 30).sort());
    for (const { embeddingKey, vector } of found ?? [])
      assert.ok(cosine(vector, unitVector(embeddingKey, dimensions)) > 0.999, embeddingKey);
    assert.deepEqual(await engine.read(space, []), []);
  },
  'replaces the vector of a key that is added again, and counts it once': async (engine, space) => {
    await filled(engine, space, [angle('a', 0), angle('b', 90)]);
    await engine.upsert(space, [angle('a', 180)]);
    await engine.upsert(space, [angle('a', 180)]);
    assert.equal(await engine.count(space), 2);
    assert.deepEqual(keysOf(await engine.nearest(space, angleVector(0), 1)), ['b']);
  },
  'finds the nearest by cosine, best first and whatever their lengths': async (engine, space) => {
    const long = { ...angle('30', 30), vector: angleVector(30).map((value) => value * 1000) };
    await filled(engine, space, [angle('90', 90), long, angle('180', 180), angle('0', 0)]);
    const near = (await engine.nearest(space, angleVector(10), 9)) ?? [];
    assert.deepEqual(
      near.map(({ embeddingKey }) => embeddingKey),
      ['0', '30', '90', '180'],
    );
    for (const { embeddingKey, score } of near)
      assert.ok(Math.abs(score - Math.cos(((Number(embeddingKey) - 10) / 180) * Math.PI)) < 0.01);
    assert.equal((await engine.nearest(space, angleVector(10), 2))?.length, 2);
  },
  'gives all that it has to a caller that asks for more': async (engine, space) => {
    const entries = numbered(300);
    await filled(engine, space, entries);
    const near = await engine.nearest(space, unitVector('query', dimensions), 1_000_000);
    assert.deepEqual(keysOf(near), entries.map(({ embeddingKey }) => embeddingKey).sort());
  },
  'names all keys, and removes those that it is told to': async (engine, space) => {
    const entries = numbered(250);
    await filled(engine, space, entries);
    const all = async () => {
      const keys: string[] = [];
      for await (const page of engine.keys(space)) keys.push(...page);
      return keys.sort();
    };
    const keys = entries.map(({ embeddingKey }) => embeddingKey).sort();
    assert.deepEqual(await all(), keys);
    for (let twice = 0; twice < 2; twice += 1) {
      await engine.delete(space, [...keys.slice(0, 100), 'unknown']);
      assert.deepEqual(await all(), keys.slice(100));
      assert.equal(await engine.count(space), 150);
    }
  },
  'keeps spaces apart, lists them by their beginning, and drops one without touching another': async (
    engine,
    space,
  ) => {
    const [one, other] = [`${space}-1`, `${space}-2`];
    await filled(engine, one, [angle('a', 0)]);
    await filled(engine, other, [angle('b', 0)]);
    await engine.create(one);
    assert.deepEqual((await engine.spaces(`${space}-`)).sort(), [one, other]);
    assert.deepEqual(keysOf(await engine.nearest(one, angleVector(0), 5)), ['a']);
    await engine.drop(one);
    await engine.drop(one);
    assert.deepEqual(await engine.spaces(`${space}-`), [other]);
    assert.equal(await engine.count(other), 1);
  },
  'says of a space that is not there that it is not, and makes none by the way': async (engine, space) => {
    const isAbsent = async () => {
      assert.equal(await engine.upsert(space, [angle('a', 0)]), false);
      assert.equal(await engine.read(space, ['a']), undefined);
      assert.equal(await engine.nearest(space, angleVector(0), 1), undefined);
      assert.equal(await engine.count(space), undefined);
      for await (const page of engine.keys(space)) assert.deepEqual(page, []);
      await engine.delete(space, ['a']);
      assert.deepEqual(await engine.spaces(space), []);
    };
    await isAbsent();
    await filled(engine, space, [angle('a', 0)]);
    await engine.drop(space);
    await isAbsent();
  },
} satisfies Record<string, VectorEngineCheck['check']>).map(([promise, check]) => ({ promise, check }));

const dimensions = 24;

async function filled(engine: VectorEngine, space: string, entries: readonly VectorEntry[]): Promise<void> {
  await engine.create(space);
  assert.equal(await engine.upsert(space, entries), true);
}

function numbered(count: number): VectorEntry[] {
  return Array.from({ length: count }, (_, number) => ({
    embeddingKey: `key-${number}`,
    vector: unitVector(`key-${number}`, dimensions),
  }));
}

function angle(embeddingKey: string, degrees: number): VectorEntry {
  return { embeddingKey, vector: angleVector(degrees) };
}

function keysOf(found: readonly { readonly embeddingKey: string }[] | undefined): string[] {
  return (found ?? []).map(({ embeddingKey }) => embeddingKey).sort();
}
