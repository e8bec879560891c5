import type { StageTrace } from '../../core/hit.ts';
import { byScore, type Candidate } from '../candidate.ts';
import { type AnalysedQuery, mayBeName } from '../query/analyse-query.ts';
import { noiseOf } from './noise.ts';
import { declares, rankRules } from './rules.ts';

/** Which ranking steps are on. */
export interface RankSteps {
  readonly rules: boolean;
  readonly coherence: boolean;
  readonly noise: boolean;
}

/**
 * What the file with most of the found chunks adds to its best one, as a share of the highest score. Between 0.2 and
 * 0.6 the gain on repositories and documentation is the same; above it, long texts push short answers away.
 */
const coherenceWeight = 0.4;

/** Files whose parts have nothing to do with each other. */
const looseTypes: ReadonlySet<string> = new Set(['email', 'log', 'data', 'state']);

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
): Candidate[] {
  const rated = candidates.map((candidate): Rated => {
    const notes = steps.rules ? lifts(query, candidate, now) : [];
    return { candidate, notes, lifted: notes.reduce((sum, { score }) => sum + score, candidate.score) };
  });
  const coherence = steps.coherence ? coherenceOf(rated, mayBeName(query.kind)) : new Map<Rated, number>();
  return rated
    .map((one) => {
      const { candidate, notes } = one;
      const together = coherence.get(one) ?? 0;
      if (together > 0) notes.push(note('the share of its file in all that was found', together));
      const lifted = one.lifted + together;
      const noise = steps.noise ? noiseOf(query, candidate.match.document) : undefined;
      const score = noise ? lifted * noise.factor : lifted;
      if (noise) notes.push(note(`${noise.name} file`, score - lifted));
      return notes.length === 0 ? candidate : { ...candidate, score, trace: [...candidate.trace, ...notes] };
    })
    .sort(byScore);
}

function lifts(query: AnalysedQuery, candidate: Candidate, now: number): StageTrace[] {
  return rankRules
    .map((rule) => note(rule.name, rule.weight * rule.strength(query, candidate, now)))
    .filter(({ score }) => score !== 0);
}

function note(text: string, score: number): StageTrace {
  return { stage: 'rank', score, note: text };
}

/**
 * Several fitting chunks are evidence for a file: one of them is lifted by the file's share of what was found. That is the
 * chunk that fits best, or, where the query is a name, its declaration, whatever its score.
 */
function coherenceOf(rated: readonly Rated[], isName: boolean): Map<Rated, number> {
  const files = [
    ...Map.groupBy(
      rated.filter(({ candidate }) => !looseTypes.has(candidate.match.document.type)),
      ({ candidate }) => candidate.match.document.id,
    ).values(),
  ];
  const sums = files.map((file) => file.reduce((sum, { candidate }) => sum + candidate.score, 0));
  const highest = Math.max(...sums);
  const top = Math.max(...rated.map(({ candidate }) => candidate.score));
  if (!(highest > 0)) return new Map();
  return new Map(
    files.flatMap((file, place) => {
      const declaring = isName ? file.filter(({ notes }) => notes.some((one) => one.note === declares)) : [];
      const [best] = (declaring.length > 0 ? declaring : file).toSorted(
        (one, other) => other.candidate.score - one.candidate.score,
      );
      return best ? [[best, (coherenceWeight * top * (sums[place] ?? 0)) / highest] as const] : [];
    }),
  );
}
