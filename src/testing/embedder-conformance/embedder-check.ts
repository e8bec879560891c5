import assert from 'node:assert/strict';
import type { Embedder, EmbeddingRole } from '../../contracts/embedder.ts';

/** Opens the embedder once more, with the same settings. */
export type OpenEmbedder = () => Promise<Embedder>;

/** One promise of the contract and the function that checks it. */
export interface EmbedderCheck {
  /** The promise in the present tense, fit for a test's title. */
  readonly promise: string;
  /** Whether it is about opening, loading or closing; other checks may share one embedder that is closed after the last. */
  readonly opensItsOwn?: boolean;
  /** Rejects with an `AssertionError` when the promise is broken. */
  check(open: OpenEmbedder): Promise<void>;
}

/** Both ways to use a text. */
export const roles: readonly EmbeddingRole[] = ['query', 'chunk'];

/** How far from one a length may be. */
const lengthTolerance = 1e-4;

/** Runs a check with an embedder that is closed afterwards. */
export function withEmbedder(
  check: (embedder: Embedder) => Promise<void>,
): (open: OpenEmbedder) => Promise<void> {
  return async (open) => {
    const embedder = await open();
    try {
      await check(embedder);
    } finally {
      await embedder.close();
    }
  };
}

/** Checks by their promises, each of an embedder that is closed afterwards. */
export function embedderChecks(
  checks: Readonly<Record<string, (embedder: Embedder) => Promise<void>>>,
): EmbedderCheck[] {
  return Object.entries(checks).map(([promise, check]) => ({ promise, check: withEmbedder(check) }));
}

/** The vectors of chunks, after asserting that there is one good one for each. */
export async function embedChunks(embedder: Embedder, texts: readonly string[]): Promise<Float32Array[]> {
  const vectors = await embedder.embed(texts, { as: 'chunk' });
  assertGood(vectors, texts.length, embedder);
  return vectors;
}

/** The vector of one chunk. */
export async function embedChunk(embedder: Embedder, text: string): Promise<Float32Array> {
  const [vector] = await embedChunks(embedder, [text]);
  return vector ?? new Float32Array();
}

/** Asserts the number of vectors, and that all have unit length and the embedder's dimension. */
export function assertGood(vectors: readonly Float32Array[], count: number, embedder: Embedder): void {
  assert.equal(vectors.length, count, 'there is one vector for each text');
  for (const vector of vectors) {
    assert.ok(vector instanceof Float32Array, 'a vector is a Float32Array');
    assert.equal(vector.length, embedder.dimensions, 'a vector has the length that the embedder states');
    const length = Math.sqrt(cosine(vector, vector));
    // A value that is not finite makes the length not finite too.
    assert.ok(Math.abs(length - 1) <= lengthTolerance, `a vector has unit length, not ${length}`);
  }
}

/** The cosine of two unit vectors. */
export function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] as number) * (other[at] as number);
  return sum;
}

/** Asserts that two vectors are the same for every purpose of search. */
export function assertSame(
  one: Float32Array | undefined,
  other: Float32Array | undefined,
  why: string,
): void {
  assert.ok(one && other, why);
  const found = cosine(one, other);
  assert.ok(found > 1 - 1e-3, `${why}: the cosine is ${found}`);
}
