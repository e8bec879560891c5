import type { StoreMatch } from '../../contracts/store.ts';
import type { StageTrace } from '../../core/hit.ts';
import { byScore, type Candidate, chunkKey } from '../candidate.ts';
import { declaresNamed } from '../definitions.ts';
import { type AnalysedQuery, mayBeName } from '../query/analyse-query.ts';
import { noiseOf } from './noise.ts';
import { declarationWords, declares, rankRules } from './rules.ts';
import { withSupport } from './support.ts';

/** Which ranking steps are on. */
export interface RankSteps {
  readonly rules: boolean;
  readonly coherence: boolean;
  readonly noise: boolean;
}

/**
 * What the best, the second and each of the next three chunks of a file say for it, as shares of the highest score. With
 * half as much for the further ones repositories lose, with half as much again news and passages do.
 */
const evidenceShares = [0.4, 0.2, 0.3, 0.3, 0.3];
/** How far rules count in that: a name lifts a whole file by each of its chunks, and would hide what they say. */
const ruleShare = 0.25;

/**
 * A type, or code between definitions such as imports, stands for its file only where a definition with a body fits less
 * by more than this share of the highest score.
 */
const bareLess = 0.1;

/** In the choice of the chunk that stands for a file, what a reranker says counts so much, and the fused score the rest. */
const saidShare = 0.8;
/** How far rules add in that choice. */
const choiceRuleShare = 0.5;

/** Files whose parts have nothing to do with each other: each stands for itself. */
const looseTypes: ReadonlySet<string> = new Set([
  'email',
  'log',
  'data',
  'state',
  'sheet',
  'event',
  'contact',
  'conversation',
]);

/** What the rules said of what was found for one query: its order is made twice where a reranker has a say, and they read every text. */
export type RuleNotes = WeakMap<StoreMatch, readonly StageTrace[]>;

/** A candidate with what the rules say of it. */
interface Rated {
  readonly candidate: Candidate;
  readonly notes: StageTrace[];
  /** Its score with all that the rules add. */
  readonly lifted: number;
}

/** Applies the ranking rules; each that moves a candidate leaves a note in its trace. */
export function rank(
  query: AnalysedQuery,
  candidates: readonly Candidate[],
  steps: RankSteps,
  now: number,
  /** What a reranker says of candidates, by their key; only its order and distances within a file mean something here. */
  said: ReadonlyMap<string, number> = new Map(),
  known: RuleNotes = new WeakMap(),
): Candidate[] {
  const rated = candidates.map((candidate): Rated => {
    const notes = steps.rules ? [...lifts(query, candidate, now, known)] : [];
    return { candidate, notes, lifted: notes.reduce((sum, { score }) => sum + score, candidate.score) };
  });
  const evidence = steps.coherence ? evidenceOf(rated, query, said) : new Map<Rated, number>();
  const ranked = rated
    .map((one) => {
      const { candidate, notes } = one;
      const together = evidence.get(one) ?? 0;
      if (together > 0) notes.push(note('what else was found in its file', together));
      const lifted = one.lifted + together;
      const noise = steps.noise ? noiseOf(query, candidate.match.document) : undefined;
      const score = noise ? lifted * noise.factor : lifted;
      if (noise) notes.push(note(`${noise.name} file`, score - lifted));
      return notes.length === 0 ? candidate : { ...candidate, score, trace: [...candidate.trace, ...notes] };
    })
    .sort(byScore);
  const supported = steps.coherence ? withSupport(ranked) : ranked;
  return steps.rules ? withDefinedFirst(query, supported) : supported;
}

/** How far what has the full name stands before everything else. */
const aheadBy = 0.1;

/** Who gives a name as code has it means what is called so, in these letters, whatever else has it: that is lifted by what it lacks to be first. */
function withDefinedFirst({ defined }: AnalysedQuery, ranked: Candidate[]): Candidate[] {
  if (defined === '') return ranked;
  const meant = new Set(ranked.filter(({ match }) => declaresNamed(defined, match.chunk)));
  const [[best], [first]] = [[...meant], ranked];
  if (!best || !first || best === first) return ranked;
  const lift = note('has the full name that is asked for', first.score - best.score + aheadBy);
  return ranked
    .map((one) =>
      meant.has(one) ? { ...one, score: one.score + lift.score, trace: [...one.trace, lift] } : one,
    )
    .sort(byScore);
}

function lifts(
  query: AnalysedQuery,
  candidate: Candidate,
  now: number,
  known: RuleNotes,
): readonly StageTrace[] {
  const notes =
    known.get(candidate.match) ??
    rankRules
      .map((rule) => note(rule.name, rule.weight * rule.strength(query, candidate, now)))
      .filter(({ score }) => score !== 0);
  known.set(candidate.match, notes);
  return notes;
}

function note(text: string, score: number): StageTrace {
  return { stage: 'rank', score, note: text };
}

/**
 * Several fitting chunks are evidence for a file: one of them is lifted by what the best five say together. That is the
 * chunk that fits best, rather one with a body than a bare type, or, where the query is a name, its declaration, whatever its score.
 * What fits best is said by a reranker where there is one.
 */
function evidenceOf(
  rated: readonly Rated[],
  { kind, words }: AnalysedQuery,
  said: ReadonlyMap<string, number>,
): Map<Rated, number> {
  const isName = mayBeName(kind);
  const asksForTypes = isName || words.some((word) => declarationWords.has(word));
  const bareness = (candidate: Candidate) => (!asksForTypes && isBare(candidate) ? 1 : 0);
  const weightOf = ({ candidate, lifted }: Rated) => candidate.score + ruleShare * (lifted - candidate.score);
  const highest = Math.max(...rated.map(weightOf));
  const top = Math.max(...rated.map(({ candidate }) => candidate.score));
  if (!(highest > 0)) return new Map();
  const files = Map.groupBy(rated, ({ candidate }) =>
    looseTypes.has(candidate.match.document.type) ? chunkKey(candidate) : candidate.match.document.id,
  );
  return new Map(
    [...files.values()].flatMap((file) => {
      const weights = file.map(weightOf).sort((one, other) => other - one);
      const evidence = evidenceShares.reduce(
        (sum, share, place) => sum + share * Math.max(0, weights[place] ?? 0),
        0,
      );
      const declaring = isName ? file.filter(({ notes }) => notes.some((one) => one.note === declares)) : [];
      const among = declaring.length > 0 ? declaring : file;
      const worth = ({ candidate, notes }: Rated) =>
        candidate.score + lostBy(notes) - bareLess * top * bareness(candidate);
      const [best] = among.toSorted((one, other) => worth(other) - worth(one));
      if (!best) return [];
      const fits = fitsIn(file, said);
      const worthShown = (one: Rated) => (fits?.get(one) ?? 0) - bareLess * bareness(one.candidate);
      const [shown = best] = fits ? among.toSorted((one, other) => worthShown(other) - worthShown(one)) : [];
      // Which chunk is shown does not change the place of its file.
      const together = best.lifted - shown.lifted + (top * evidence) / highest;
      return [[shown, Math.max(0, together)] as const];
    }),
  );
}

/** What rules take: a chunk that is found by its path alone does not stand for its file. */
function lostBy(notes: readonly StageTrace[]): number {
  return notes.reduce((sum, { score }) => sum + Math.min(0, score), 0);
}

function isBare({ match: { chunk, document } }: Candidate): boolean {
  if (document.type !== 'code') return false;
  return chunk.symbol === undefined || chunk.symbol.kind === 'type' || chunk.symbol.kind === 'interface';
}

/**
 * How well each candidate of a file fits: by what a reranker says and by the fused score, each stretched over the
 * file, since they are compared with nothing else, and by the rules. One without a say counts as the worst of the others; undefined where
 * fewer than two have one.
 */
function fitsIn(file: readonly Rated[], said: ReadonlyMap<string, number>): Map<Rated, number> | undefined {
  const scores = file.map(({ candidate }) => said.get(chunkKey(candidate)));
  const known = scores.filter((score) => score !== undefined);
  if (known.length < 2) return undefined;
  const min = Math.min(...known);
  const byReranker = stretched(scores.map((score) => score ?? min));
  const bySearch = stretched(file.map(({ candidate }) => fusedScore(candidate)));
  return new Map(
    file.map((one, place) => {
      const fit = saidShare * (byReranker[place] ?? 0) + (1 - saidShare) * (bySearch[place] ?? 0);
      return [one, fit + ruled(one)];
    }),
  );
}

/** What rules say in the choice: what they take counts in full. */
function ruled({ candidate, notes, lifted }: Rated): number {
  const lost = lostBy(notes);
  return lost + choiceRuleShare * (lifted - candidate.score - lost);
}

function fusedScore({ trace, score }: Candidate): number {
  return trace.find(({ stage }) => stage === 'fuse')?.score ?? score;
}

function stretched(values: readonly number[]): number[] {
  const lowest = Math.min(...values);
  const range = Math.max(...values) - lowest;
  return values.map((value) => (range > 0 ? (value - lowest) / range : 0));
}
