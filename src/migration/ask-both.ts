import type { Store, StoreMatch } from '../contracts/store.ts';
import type { Chunk } from '../core/chunk.ts';
import { queryTerms } from '../core/text/terms.ts';
import { chunksOf } from '../index/chunks-of.ts';
import { keyOf } from './copy-index.ts';

/** Questions that are asked of both indexes. */
const questionCount = 20;
/** Results that are compared. */
const depth = 10;
/** Words of a question. */
const wordsOfQuestion = 12;
/** How far the cosine of a result may be below that of the last one expected: stores keep vectors at unequal precision. */
const tolerance = 0.005;

/** How many of the results of one index the other one also has, from 0 to 1; undefined where nothing could be asked. */
export interface Agreement {
  readonly questions: number;
  readonly text: number | undefined;
  /** The least of all spaces. */
  readonly vectors: number | undefined;
}

/** Asks both indexes for the ten best chunks, by words and by vectors of texts drawn evenly from the source. */
export async function askBoth(source: Store, target: Store): Promise<Agreement> {
  const samples = await drawChunks(source);
  const text = new Shares();
  for (const chunk of samples) {
    const words = queryTerms(chunk.text).slice(0, wordsOfQuestion);
    const [expected, found] = await Promise.all([
      source.searchText(words, { limit: depth }),
      target.searchText(words, { limit: depth }),
    ]);
    text.add(sharedIds(expected, found), expected.length);
  }
  const perSpace: number[] = [];
  for (const space of [...(await source.state()).spaces.keys()]) {
    const shares = new Shares();
    for (const { vector } of await source.vectorsOf(space, samples.map(keyOf))) {
      const [expected, found] = await Promise.all([
        source.searchVector(space, vector, { limit: depth }),
        target.searchVector(space, vector, { limit: depth }),
      ]);
      shares.add(await asNear(source, space, vector, expected, found), expected.length);
    }
    if (shares.mean !== undefined) perSpace.push(shares.mean);
  }
  return {
    questions: samples.length,
    text: text.mean,
    vectors: perSpace.length > 0 ? Math.min(...perSpace) : undefined,
  };
}

/** The middle chunk of documents at equal distances. */
async function drawChunks(store: Store): Promise<Chunk[]> {
  const records = await store.documents();
  const count = Math.min(questionCount, records.length);
  const drawn: Chunk[] = [];
  for (let number = 0; number < count; number += 1) {
    const record = records[Math.floor(((number + 0.5) * records.length) / count)];
    const chunks = record ? await chunksOf(store, record.id) : [];
    const middle = chunks[Math.floor(chunks.length / 2)];
    if (middle) drawn.push(middle);
  }
  return drawn;
}

function sharedIds(expected: readonly StoreMatch[], found: readonly StoreMatch[]): number {
  const ids = new Set(expected.map(({ chunk }) => chunk.id));
  return found.filter(({ chunk }) => ids.has(chunk.id)).length;
}

/** Of results with nearly the same cosine any may come first: what is as near, by the vectors of the source, counts. */
async function asNear(
  source: Store,
  space: string,
  query: Float32Array,
  expected: readonly StoreMatch[],
  found: readonly StoreMatch[],
): Promise<number> {
  const keys = found.slice(0, expected.length).map(({ chunk }) => keyOf(chunk));
  const vectors = await source.vectorsOf(space, keys);
  const cosines = new Map(vectors.map(({ embeddingKey, vector }) => [embeddingKey, cosine(query, vector)]));
  const min = (expected.at(-1)?.score ?? 0) - tolerance;
  return keys.filter((key) => (cosines.get(key) ?? Number.NEGATIVE_INFINITY) >= min).length;
}

function cosine(one: Float32Array, other: Float32Array): number {
  const product = one.reduce((sum, value, column) => sum + value * (other[column] ?? 0), 0);
  return product / (Math.hypot(...one) * Math.hypot(...other));
}

/** The mean of shares. */
class Shares {
  #sum = 0;
  #count = 0;

  add(part: number, whole: number): void {
    if (whole === 0) return;
    this.#sum += part / whole;
    this.#count += 1;
  }

  get mean(): number | undefined {
    return this.#count === 0 ? undefined : this.#sum / this.#count;
  }
}
