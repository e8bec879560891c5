import type { StageTrace } from '../../core/hit.ts';
import { byScore, type Candidate } from '../candidate.ts';
import type { AnalysedQuery } from '../query/analyse-query.ts';
import { noiseOf } from './noise.ts';
import { rankRules } from './rules.ts';

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

/** Applies the ranking rules; each that moves a candidate leaves a note in its trace. */
export function rank(
  query: AnalysedQuery,
  candidates: readonly Candidate[],
  steps: RankSteps,
  now: number,
): Candidate[] {
  const coherence = steps.coherence ? coherenceOf(candidates) : new Map<Candidate, number>();
  return candidates
    .map((candidate) => {
      const notes = steps.rules ? lifts(query, candidate, now) : [];
      const together = coherence.get(candidate) ?? 0;
      if (together > 0) notes.push(note('the share of its file in all that was found', together));
      const lifted = notes.reduce((sum, { score }) => sum + score, candidate.score);
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

/** Several fitting chunks are evidence for a file: its best chunk is lifted by the file's share of what was found. */
function coherenceOf(candidates: readonly Candidate[]): Map<Candidate, number> {
  const sums = new Map<string, number>();
  const best = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { id } = candidate.match.document;
    sums.set(id, (sums.get(id) ?? 0) + candidate.score);
    if (candidate.score > (best.get(id)?.score ?? Number.NEGATIVE_INFINITY)) best.set(id, candidate);
  }
  const highest = Math.max(...sums.values());
  const top = Math.max(...candidates.map(({ score }) => score));
  if (!(highest > 0)) return new Map();
  return new Map(
    [...best].map(([id, candidate]) => [candidate, (coherenceWeight * top * (sums.get(id) ?? 0)) / highest]),
  );
}
