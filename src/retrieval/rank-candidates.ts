import type { StageTrace } from '../core/hit.ts';
import { type Candidate, chunkKey } from './candidate.ts';
import { type FoundList, fuse } from './fuse.ts';
import type { AnalysedQuery } from './query/analyse-query.ts';
import { blendScores, type RerankerScores } from './rerank/blend-scores.ts';
import { type RankSteps, type RuleNotes, rank } from './rules/rank.ts';
import type { SearchRequest } from './search-request.ts';

const unscored: RerankerScores = { scores: new Map(), weight: 0 };

/** What the searchers found: within the filter, and in the whole index. */
export interface FoundLists {
  readonly admitted: readonly FoundList[];
  readonly whole: readonly FoundList[];
}

/** Candidates in their order. */
export interface RankedCandidates {
  /** The best of the whole index: what every score and every relevance is measured by. */
  readonly best: readonly Candidate[];
  /** Those that the filter admits; the same list where nothing else was found. */
  readonly admitted: readonly Candidate[];
}

/**
 * Orders candidates by the scores that they have in the whole index, so that a filter or a larger number of hits changes
 * neither score nor order, only what is left out. What is found beyond the best of the whole index has only the score
 * that rules give it, and keeps its own order. What a reranker says counts before the rules do: it reads the text, and
 * knows nothing of names, paths and files.
 */
export function rankCandidates(
  query: AnalysedQuery,
  { admitted, whole }: FoundLists,
  { candidates }: Pick<SearchRequest, 'candidates'>,
  steps: RankSteps,
  now: number,
  reranked: RerankerScores = unscored,
  notes: RuleNotes = new WeakMap(),
): RankedCandidates {
  const lists = whole.map((list) => ({ ...list, matches: list.matches.slice(0, candidates) }));
  const best = rank(query, blendScores(fuse(lists), reranked), steps, now, reranked.further, notes);
  if (admitted === whole && whole.every(({ matches }) => matches.length <= candidates))
    return { best, admitted: best };
  const known = new Set(best.map(chunkKey));
  const found = blendScores(fuse(admitted), reranked);
  const places = new Map(found.map((candidate, place) => [chunkKey(candidate), place]));
  const beyond = found.filter((candidate) => !known.has(chunkKey(candidate))).map(withoutScore);
  const lifted = rank(query, beyond, { ...steps, coherence: false }, now);
  const placeOf = (candidate: Candidate) => places.get(chunkKey(candidate)) ?? 0;
  lifted.sort((one, other) => other.score - one.score || placeOf(one) - placeOf(other));
  const passing = best.filter((candidate) => places.has(chunkKey(candidate)));
  return { best, admitted: [...passing, ...lifted].sort((one, other) => other.score - one.score) };
}

function withoutScore(candidate: Candidate): Candidate {
  const note = 'the whole index has enough that fits better';
  const entry: StageTrace = { stage: 'rank', score: -candidate.score, note };
  return { ...candidate, score: 0, trace: [...candidate.trace, entry] };
}
