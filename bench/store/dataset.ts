// What the stores are filled with: documents of ten chunks, one document in a hundred of the type `hundredth`.
// Vectors are synthetic and clustered (384 dimensions), or read from a folder with base.fvecs and query.fvecs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { draws } from '../../src/core/draws.ts';

export const chunksEach = 10;
export const narrowType = 'hundredth';

/** Vectors by number, and questions that stand among them. */
export interface Vectors {
  readonly name: string;
  readonly count: number;
  readonly dimensions: number;
  /** All vectors in order, the same in every run; the array is used again for the next one. */
  all(): Iterable<Float32Array>;
  readonly questions: readonly Float32Array[];
}

export interface BenchDocument {
  readonly number: number;
  readonly uri: string;
  readonly type: string;
  readonly texts: readonly string[];
  readonly vectors: readonly Float32Array[];
}

export function openVectors(name: string, questions: number): Vectors {
  return /^\d+$/.test(name) ? clusteredVectors(Number(name), 384, questions) : readVectors(name, questions);
}

export function* documents({ all }: Vectors): Iterable<BenchDocument> {
  const draw = draws(7);
  let vectors: Float32Array[] = [];
  let number = 0;
  for (const vector of all()) {
    vectors.push(Float32Array.from(vector));
    if (vectors.length < chunksEach) continue;
    yield makeDocument(number, vectors, draw);
    vectors = [];
    number += 1;
  }
}

export function makeDocument(
  number: number,
  vectors: readonly Float32Array[],
  draw: () => number,
): BenchDocument {
  return {
    number,
    uri: uriOf(number),
    type: typeOf(number),
    texts: vectors.map(() => Array.from({ length: 40 }, () => word(draw)).join(' ')),
    vectors,
  };
}

export function uriOf(number: number): string {
  return `folder${number % 100}/file${number}.md`;
}

export function typeOf(number: number): string {
  return number % 100 === 3 ? narrowType : 'rest';
}

/** A word out of 20,000, the first ones far more often than the last, as in real text. */
export function word(draw: () => number): string {
  return `w${Math.floor(20_000 * draw() ** 3).toString(36)}`;
}

function clusteredVectors(count: number, dimensions: number, questions: number): Vectors {
  const draw = draws(1);
  const bell = () => draw() + draw() - 1;
  // Groups of about a thousand, of different tightness, as topics of a corpus are.
  const clusters = Array.from({ length: Math.max(10, Math.round(count / 1000)) }, () => ({
    centre: Float32Array.from({ length: dimensions }, bell),
    spread: 0.4 + 0.6 * draw(),
  }));
  const next = (into: Float32Array, source: () => number): Float32Array => {
    const cluster = clusters[Math.floor(source() * clusters.length)];
    for (let index = 0; index < dimensions; index += 1) {
      into[index] = (cluster?.centre[index] ?? 0) + (cluster?.spread ?? 0) * (source() + source() - 1);
    }
    return into;
  };
  const asking = draws(2);
  return {
    name: `${count} clustered`,
    count,
    dimensions,
    *all() {
      const source = draws(3);
      const vector = new Float32Array(dimensions);
      for (let number = 0; number < count; number += 1) yield next(vector, source);
    },
    questions: Array.from({ length: questions }, () => next(new Float32Array(dimensions), asking)),
  };
}

function readVectors(folder: string, questions: number): Vectors {
  const base = readFvecs(join(folder, 'base.fvecs'));
  return {
    name: `${base.length} of ${folder.split(/[\\/]/).filter(Boolean).at(-1)}`,
    count: base.length,
    dimensions: base[0]?.length ?? 0,
    all: () => base,
    questions: readFvecs(join(folder, 'query.fvecs')).slice(0, questions),
  };
}

/** A file of vectors, each behind its length. */
function readFvecs(path: string): Float32Array[] {
  const bytes = readFileSync(path);
  const dimensions = bytes.readInt32LE(0);
  const step = 4 + 4 * dimensions;
  return Array.from({ length: Math.floor(bytes.length / step) }, (_, number) =>
    Float32Array.from({ length: dimensions }, (_, index) => bytes.readFloatLE(number * step + 4 + 4 * index)),
  );
}
