import type { Chunk } from '../../core/chunk.ts';
import type { QuarryError } from '../../core/errors.ts';
import { documentRecord } from '../../testing/documents.ts';
import type { Candidate } from '../candidate.ts';
import { blendScores } from './blend-scores.ts';
import { type OpenReranker, type RerankBounds, rerankWithin } from './rerank.ts';

/** The candidates with the scores that a reranker gave in time; the same list where it gave none. */
export async function rerankedCandidates(
  open: OpenReranker,
  query: string,
  candidates: readonly Candidate[],
  bounds: RerankBounds,
): Promise<{
  candidates: readonly Candidate[];
  warnings: readonly QuarryError[];
  isComplete: boolean;
}> {
  const { scored, ...rest } = await rerankWithin(open, query, candidates, bounds);
  return { candidates: scored ? blendScores(candidates, scored) : candidates, ...rest };
}

export function candidate(name: string, score: number): Candidate {
  const chunk: Chunk = {
    id: name,
    documentId: 'd',
    ordinal: 0,
    span: { start: 0, end: 1, firstLine: 1, lastLine: 1 },
    place: { kind: 'lines', first: 1, last: 1 },
    text: name,
    header: '',
    section: '',
    metadata: {},
  };
  return { match: { chunk, document: documentRecord('a.md'), score }, score, trace: [] };
}

export const letters = [...'abcdefgh'];
export const candidates = letters.map((name, index) => candidate(name, 1 - index / 10));
export const names = (list: readonly Candidate[]) => list.map(({ match }) => match.chunk.id).join('');
