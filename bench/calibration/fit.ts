import { median } from '../../src/core/median.ts';
import { likelihood } from '../../src/retrieval/calibration/calibrate.ts';
import type { Curve } from '../../src/retrieval/calibration/curves.ts';
import {
  type CosineScale,
  type SignalName,
  type Signals,
  signalNames,
  withCosines,
} from '../../src/retrieval/calibration/signals.ts';
import type { Observation } from './observe.ts';

/** A judged hit as the fit sees it. */
export interface Row {
  readonly set: string;
  /** Which question it belongs to. */
  readonly question: number;
  readonly isOffTopic: boolean;
  readonly isRelevant: boolean;
  /** Whether it may be fitted on; the others are held out. */
  readonly isFitted: boolean;
  readonly signals: Signals;
}

/** Where relevance is meant to keep off-topic questions empty, and for how many it may fail where it is fitted. */
const offTopicLevel = 0.3;
const maxOffTopic = 0.03;
/** What all off-topic questions of a set weigh against its own: the least that is enough is taken. */
const offTopicWeights = [0.3, 0.6, 1, 1.5, 2, 3, 5];
const ridge = 0.001;
const steps = 1500;

/** Judged hits; every second question of each set, and of those off topic, is held out. */
export function rowsOf(observations: readonly Observation[], scale: CosineScale | undefined): Row[] {
  const halves = halvesOf(observations);
  return observations.flatMap(({ set, isOffTopic, cosines, hits }, question) => {
    const all = cosines.map((cosine) => cosine ?? undefined);
    const signals = withCosines(
      hits.map((hit) => hit.signals),
      all,
      scale,
    );
    return signals.map((own, place) => ({
      set,
      question,
      isOffTopic,
      isRelevant: hits[place]?.isRelevant === true,
      isFitted: halves[question] === true,
      signals: own,
    }));
  });
}

function halvesOf(observations: readonly Observation[]): boolean[] {
  const counts = new Map<string, number>();
  return observations.map(({ set, space, isOffTopic }) => {
    const key = `${set} ${space} ${isOffTopic}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count % 2 === 0;
  });
}

/** Medians of the half that is fitted: of the nearest chunk off topic, and of relevant hits, sets counting equally. */
export function scaleOf(observations: readonly Observation[]): CosineScale {
  const halves = halvesOf(observations);
  const fitted = observations.filter((_, index) => halves[index]);
  const known = (cosines: Observation['cosines']) => cosines.filter((cosine) => cosine !== null);
  const offTopic = fitted
    .filter(({ isOffTopic }) => isOffTopic)
    .map(({ cosines }) => Math.max(...known(cosines)));
  const bySet = Map.groupBy(fitted, ({ set }) => set);
  const relevant = [...bySet.values()].map((own) =>
    median(own.flatMap(({ hits, cosines }) => known(cosines.filter((_, place) => hits[place]?.isRelevant)))),
  );
  const mean = relevant.reduce((sum, value) => sum + value, 0) / relevant.length;
  return { offTopic: rounded(median(offTopic), 3), relevant: rounded(mean, 3) };
}

/** The curve with the least weight of off-topic questions that keeps them empty in the half that is fitted. */
export function fitCurve(rows: readonly Row[], scale: CosineScale | undefined): Curve {
  const fitted = rows.filter(({ isFitted }) => isFitted);
  let curve: Curve | undefined;
  for (const weight of offTopicWeights) {
    const plain = { ...(scale && { scale }), ...regress(fitted, weight), correction: [] };
    curve = withCorrection(fitted, plain);
    if (returnedOffTopic(fitted, curve, offTopicLevel) <= maxOffTopic) return curve;
  }
  if (!curve) throw new Error('There is no weight to fit with.');
  return curve;
}

/** Parts of the scale that are corrected each by what was judged. */
const corrected = [0.2, 0.4, 0.6, 0.8];

/** Where fewer were relevant than the curve says, it is lowered to what was judged; it is never raised. */
function withCorrection(rows: readonly Row[], curve: Curve): Curve {
  const own = rows.filter(({ isOffTopic }) => !isOffTopic);
  const shares = sharesOf(own, 0);
  const judged = own.map(({ signals, isRelevant }, at) => ({
    said: likelihood(curve, signals),
    relevant: isRelevant ? 1 : 0,
    weight: shares[at] ?? 0,
  }));
  let min = 0;
  const correction = corrected.flatMap((from, at) => {
    const to = corrected[at + 1] ?? 1;
    const inside = judged.filter(({ said }) => said >= from && said < to);
    const total = inside.reduce((sum, { weight }) => sum + weight, 0);
    if (total === 0) return [];
    const mean = (of: 'said' | 'relevant') =>
      inside.reduce((sum, hit) => sum + hit.weight * hit[of], 0) / total;
    const said = rounded(mean('said'), 2);
    min = Math.max(min, Math.min(said, rounded(mean('relevant'), 2)));
    return [[said, min] as const];
  });
  return { ...curve, correction };
}

/** Share of the off-topic questions with any hit from a level up. */
export function returnedOffTopic(rows: readonly Row[], curve: Curve, level: number): number {
  const asked = rows.filter(({ isOffTopic }) => isOffTopic);
  const answered = asked.filter(({ signals }) => likelihood(curve, signals) >= level);
  const questions = (some: readonly Row[]) => new Set(some.map(({ question }) => question)).size;
  return questions(answered) / Math.max(1, questions(asked));
}

/**
 * Logistic regression without negative weights, by accelerated projected gradient from zero: the same rows give the same
 * curve. Signals are brought to one spread first, so that the ridge treats them alike.
 */
function regress(rows: readonly Row[], offTopicWeight: number): Pick<Curve, 'bias' | 'weights'> {
  const shares = sharesOf(rows, offTopicWeight);
  const spreads = signalNames.map((name) => spreadOf(rows.map(({ signals }) => signals[name])));
  const size = signalNames.length + 1;
  const inputs = Float64Array.from(
    rows.flatMap(({ signals }) => [1, ...signalNames.map((name, at) => signals[name] / (spreads[at] ?? 1))]),
  );
  const targets = Float64Array.from(rows, ({ isRelevant }) => (isRelevant ? 1 : 0));
  const rate = 1 / (curvature(inputs, shares, size) + 2 * ridge);
  let current = new Float64Array(size);
  let ahead = current;
  for (let step = 0; step < steps; step += 1) {
    const slope = slopeAt(ahead, inputs, targets, shares);
    const previous = current;
    current = ahead.map((value, at) => {
      const moved = value - rate * (slope[at] ?? 0);
      return at === 0 ? moved : Math.max(0, moved);
    });
    ahead = current.map((value, at) => value + (step / (step + 3)) * (value - (previous[at] ?? 0)));
  }
  const weights = Object.fromEntries(
    signalNames.map((name, at) => [name, rounded((current[at + 1] ?? 0) / (spreads[at] ?? 1), 2)]),
  ) as Record<SignalName, number>;
  return { bias: rounded(current[0] ?? 0, 2), weights };
}

/** The slope of the loss with the ridge, which leaves the bias alone. */
function slopeAt(
  weights: Float64Array,
  inputs: Float64Array,
  targets: Float64Array,
  shares: Float64Array,
): Float64Array {
  const size = weights.length;
  const slope = weights.map((value, at) => (at === 0 ? 0 : 2 * ridge * value));
  for (let row = 0; row < targets.length; row += 1) {
    const start = row * size;
    let logit = 0;
    for (let at = 0; at < size; at += 1) logit += (inputs[start + at] ?? 0) * (weights[at] ?? 0);
    const error = (1 / (1 + Math.exp(-logit)) - (targets[row] ?? 0)) * (shares[row] ?? 0);
    for (let at = 0; at < size; at += 1) slope[at] = (slope[at] ?? 0) + error * (inputs[start + at] ?? 0);
  }
  return slope;
}

/** No direction of the loss bends more than this: a quarter of the mean square of the inputs. */
function curvature(inputs: Float64Array, shares: Float64Array, size: number): number {
  return inputs.reduce((sum, input, at) => sum + (shares[Math.floor(at / size)] ?? 0) * input * input, 0) / 4;
}

/** What each row weighs, in all 1: each set as much as another, whatever its size. */
function sharesOf(rows: readonly Row[], offTopicWeight: number): Float64Array {
  const keyOf = ({ set, isOffTopic }: Row) => `${set} ${isOffTopic}`;
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  const raw = rows.map((row) => (row.isOffTopic ? offTopicWeight : 1) / (counts.get(keyOf(row)) ?? 1));
  const total = raw.reduce((sum, value) => sum + value, 0);
  return Float64Array.from(raw, (value) => value / total);
}

function spreadOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return Math.sqrt(variance) || 1;
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
