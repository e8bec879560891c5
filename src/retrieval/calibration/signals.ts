import type { Candidate } from '../candidate.ts';
import type { AnalysedQuery } from '../query/analyse-query.ts';
import { rankRules } from '../rules/rules.ts';
import { coverageOf } from './coverage.ts';

/** Evidence for a chunk. No signal is below 0, and none falls when the cosine or the words found increase. */
export const signalNames = ['topic', 'agreement', 'coverage', 'words', 'lead', 'named', 'alone'] as const;

/** One of the signals. */
export type SignalName = (typeof signalNames)[number];

/** The strength of each signal for one chunk. */
export type Signals = Readonly<Record<SignalName, number>>;

/** The cosines that one model gives: to the best chunk for a query about something else, and to a relevant one. */
export interface CosineScale {
  readonly offTopic: number;
  readonly relevant: number;
}

/** Rules that match when a chunk is what the query names, not only similar to it. */
export const namingRules: readonly string[] = [
  'defines what is asked for',
  'belongs to what is asked for',
  'its file has the name',
  'is the file that is named',
  'has the quoted words as they stand',
  'has the query as it stands',
  'file name matches the query',
];

/** From half of the way between off-topic and relevant on, the topic counts as right: a higher cosine adds nothing. */
const certainTopic = 0.5;
/** How far from the nearest chunk another one may be and still count as a rival, on the scale of cosines. */
const rivalry = 0.15;
/** Ranks that people look at. */
const page = 10;
/** A lead is the distance to the score this many ranks lower, or to the sixth rank, but no further than to this share of the best. */
const behind = 4;
const farBehind = 0.5;
/** Chunks that a list would have in a large index: those that are missing are about something else. */
const fullList = 60;

/**
 * The signals of each chunk, in the order given, which is that of the final ranking. Without a scale cosines are
 * measured from the lowest that was found to 1: that works for any model, but says less about the topic.
 */
export function signalsOf(
  query: AnalysedQuery,
  ranked: readonly Candidate[],
  scale: CosineScale | undefined,
): Signals[] {
  const fixed = fixedSignals(query, ranked);
  const cosines = ranked.map(({ cosine }) => cosine);
  return withCosines(fixed, cosines, scale);
}

/** Signals that do not depend on the scale of a model's cosines. */
export interface FixedSignals extends Omit<Signals, 'topic' | 'agreement' | 'alone'> {
  /** How each searcher places the chunk, from 0 to 1. */
  readonly dense: number;
  readonly text: number;
}

/** The signals of each chunk that need no scale. */
export function fixedSignals(query: AnalysedQuery, ranked: readonly Candidate[]): FixedSignals[] {
  const coverage = coverageOf(query.words, ranked);
  const dense = stretchedBy(ranked, 'dense');
  const text = stretchedBy(ranked, 'text');
  const best = ranked.reduce((max, { score }) => Math.max(max, score), 0);
  return ranked.map((candidate, place) => {
    const rival = ranked[Math.max(page / 2, place + behind)]?.score ?? 0;
    return {
      dense: dense?.[place] ?? 0,
      text: text?.[place] ?? 0,
      coverage: coverage.shares[place] ?? 0,
      words: Math.log1p(coverage.weights[place] ?? 0),
      lead: Math.max(0, candidate.score - Math.max(rival, farBehind * best)) * (coverage.shares[place] ?? 0),
      named: namedStrength(candidate),
    };
  });
}

/**
 * Adds the signals that come from cosines: those of all chunks found, in the same order as the signals, of which
 * there may be fewer. A chunk without a cosine counts as far away as the last one that vector search found. In a list of few chunks one
 * of them is always the nearest: that counts only as far as the topic is right.
 */
export function withCosines(
  signals: readonly FixedSignals[],
  cosines: readonly (number | undefined)[],
  scale: CosineScale | undefined,
): Signals[] {
  const found = cosines.filter((cosine) => cosine !== undefined);
  const floor = found.reduce((min, cosine) => Math.min(min, cosine), Number.POSITIVE_INFINITY);
  const { offTopic, relevant } = scale ?? { offTopic: floor, relevant: Math.max(1, floor + 0.01) };
  const onScale = (cosine: number) => Math.min(1.5, Math.max(0, (cosine - offTopic) / (relevant - offTopic)));
  const nearest = found.reduce((max, cosine) => Math.max(max, onScale(cosine)), 0);
  const rival = (near: number) => Math.exp((near - nearest) / rivalry);
  const missing = Math.max(0, fullList - found.length) * rival(0);
  const rivals = found.reduce((sum, cosine) => sum + rival(onScale(cosine)), missing);
  return signals.map(({ dense, text, ...fixed }, place) => {
    const near = found.length === 0 ? 0 : onScale(cosines[place] ?? floor);
    const topic = Math.min(near, certainTopic);
    const certainty = topic / certainTopic;
    return {
      ...fixed,
      topic,
      agreement: (dense * certainty + text) / 2,
      alone: found.length === 0 ? 0 : (certainty * rival(near)) / rivals,
    };
  });
}

/** One searcher's scores from 0 (its worst, or not found) to 1 (its best); nothing where it found nothing at all. */
function stretchedBy(ranked: readonly Candidate[], searcher: string): number[] | undefined {
  const scores = ranked.map(({ trace }) => trace.find(({ stage }) => stage === searcher)?.score);
  const found = scores.filter((score) => score !== undefined);
  if (found.length === 0) return undefined;
  const lowest = found.reduce((min, score) => Math.min(min, score));
  const range = found.reduce((max, score) => Math.max(max, score)) - lowest;
  return scores.map((score) => (score === undefined ? 0 : range > 0 ? (score - lowest) / range : 1));
}

const fullNotes: ReadonlyMap<string, number> = new Map(
  rankRules.filter(({ name }) => namingRules.includes(name)).map(({ name, weight }) => [name, weight]),
);

function namedStrength({ trace }: Candidate): number {
  return trace.reduce((max, { note, score }) => {
    const full = note === undefined ? undefined : fullNotes.get(note);
    return full === undefined ? max : Math.max(max, score / full);
  }, 0);
}
