import { mean } from './metrics.ts';

/** How two configurations differ on the same questions. */
export interface Comparison {
  /** Mean of the second minus mean of the first. */
  readonly difference: number;
  /** 95 % of resampled differences lie between these. */
  readonly interval: readonly [number, number];
  /** Whether the interval leaves out zero: the difference is more than luck of the draw. */
  readonly isReal: boolean;
}

/** Paired bootstrap: questions are drawn with replacement, each with both of its scores. Repeatable by its seed. */
export function compare(
  first: readonly number[],
  second: readonly number[],
  { samples = 10_000, seed = 1 } = {},
): Comparison {
  const differences = first.map((score, index) => (second[index] ?? 0) - score);
  const random = randomNumbers(seed);
  const means = Array.from({ length: samples }, () => {
    let sum = 0;
    for (let draw = 0; draw < differences.length; draw += 1) {
      sum += differences[Math.floor(random() * differences.length)] ?? 0;
    }
    return sum / Math.max(1, differences.length);
  }).sort((a, b) => a - b);
  const low = means[Math.floor(samples * 0.025)] ?? 0;
  const high = means[Math.ceil(samples * 0.975) - 1] ?? 0;
  return { difference: mean(differences), interval: [low, high], isReal: low > 0 || high < 0 };
}

/** A small generator of equally distributed numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
