import { draws } from '../../core/draws.ts';
import { mean } from './metrics.ts';

/** How two configurations differ on the same questions. */
export interface Comparison {
  /** Mean of the second minus mean of the first. */
  readonly difference: number;
  /** 95 % of resampled differences lie between these. */
  readonly interval: readonly [number, number];
  /** Whether there are enough questions and the interval does not contain zero: the difference is not chance. */
  readonly isReal: boolean;
}

/** With fewer questions, one unusual question can move the whole interval away from zero. */
export const minToDecide = 30;

/** Options of a comparison. */
export interface BootstrapOptions {
  readonly samples?: number;
  readonly seed?: number;
}

/** Paired bootstrap: questions are drawn with replacement, each with both of its scores. Repeatable by its seed. */
export function compare(
  first: readonly number[],
  second: readonly number[],
  options: BootstrapOptions = {},
): Comparison {
  return compareOver([first.map((score, index) => (second[index] ?? 0) - score)], options);
}

/**
 * The same over several sets of questions, given as differences question by question: each set is drawn from on its
 * own, and the difference is the mean of the sets' means, however many questions each has.
 */
export function compareOver(
  sets: readonly (readonly number[])[],
  { samples = 10_000, seed = 1 }: BootstrapOptions = {},
): Comparison {
  const drawn = sets.filter((differences) => differences.length > 0).map((set) => Float64Array.from(set));
  const random = draws(seed);
  const means = Float64Array.from({ length: samples }, () => {
    let sum = 0;
    for (const differences of drawn) sum += drawMean(differences, random);
    return sum / Math.max(1, drawn.length);
  }).sort();
  const low = means[Math.floor(samples * 0.025)] ?? 0;
  const high = means[Math.ceil(samples * 0.975) - 1] ?? 0;
  const difference = mean(drawn.map((differences) => mean([...differences])));
  const questions = drawn.reduce((sum, differences) => sum + differences.length, 0);
  const isReal = questions >= minToDecide && (low > 0 || high < 0);
  return { difference, interval: [low, high], isReal };
}

function drawMean(differences: Float64Array, random: () => number): number {
  let sum = 0;
  for (let draw = 0; draw < differences.length; draw += 1)
    sum += differences[Math.floor(random() * differences.length)] ?? 0;
  return sum / differences.length;
}
