// The nearest vectors by brute force in full precision, for all and for those of the narrow type.
import { BestEntries } from '../../src/drivers/stores/sqlite/vectors/best.ts';
import { chunksEach, narrowType, typeOf, type Vectors } from './dataset.ts';
import { hits, type Truth } from './measures.ts';

export function findTruth({ all, questions, count }: Vectors): Truth {
  const best = questions.map(() => ({ all: new BestEntries(hits), narrow: new BestEntries(hits) }));
  const units = questions.map((question) => scaled(question, 1 / length(question)));
  let number = 0;
  for (const vector of all()) {
    // What fills no whole document is not stored.
    if (number >= count - (count % chunksEach)) break;
    const factor = 1 / length(vector);
    const isNarrow = typeOf(Math.floor(number / chunksEach)) === narrowType;
    for (const [at, unit] of units.entries()) {
      const score = dot(unit, vector) * factor;
      best[at]?.all.offer(number, score);
      if (isNarrow) best[at]?.narrow.offer(number, score);
    }
    number += 1;
  }
  const numbers = (entries: BestEntries) => entries.sorted().map(({ entry }) => entry);
  return { all: best.map(({ all }) => numbers(all)), narrow: best.map(({ narrow }) => numbers(narrow)) };
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1)
    sum += (one[index] as number) * (other[index] as number);
  return sum;
}

function length(vector: Float32Array): number {
  return Math.sqrt(dot(vector, vector));
}

function scaled(vector: Float32Array, factor: number): Float32Array {
  return vector.map((value) => value * factor);
}
