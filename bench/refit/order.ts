import type { StoreMatch } from '../../src/contracts/store.ts';
import type { Hit } from '../../src/core/hit.ts';
import { foundTexts } from '../../src/evaluation/labels/found-texts.ts';
import { judge, type ResolvedLabel } from '../../src/evaluation/labels/judgement.ts';
import { scoresOf } from '../../src/evaluation/measures/metrics.ts';
import { type Candidate, chunkKey } from '../../src/retrieval/candidate.ts';
import type { FoundList } from '../../src/retrieval/fuse.ts';
import { denseShare } from '../../src/retrieval/gather/gather.ts';
import { type AnalysedQuery, analyseQuery } from '../../src/retrieval/query/analyse-query.ts';
import { lookUp } from '../../src/retrieval/query/path-mention.ts';
import { rankCandidates } from '../../src/retrieval/rank-candidates.ts';
import type { RuleNotes } from '../../src/retrieval/rules/rank.ts';
import { byDocument } from '../../src/retrieval/thinning/by-document.ts';
import { withoutNearDuplicates } from '../../src/retrieval/thinning/near-duplicates.ts';
import { spread } from '../../src/retrieval/thinning/spread.ts';
import type { KeptPart, KeptQuestion, KeptSpace, Scored } from './kept.ts';

/** What suits a space. */
export interface Shares {
  /** Of vectors in the fused score of plain queries, as an embedder asks for it. */
  readonly dense: number;
  /** Of the reranker. */
  readonly said: number;
  /** Power of what a cosine comes to between the lowest and the highest of its list: above 1 only the nearest count. */
  readonly power: number;
}

/** nDCG@10 of one order, by what counts as found. */
export interface Measured {
  /** Files in their order. */
  readonly file: number;
  /** Ten chunks, each file at its best one. */
  readonly chunk: number;
  /** The chunk that stands for a file, by the lines that answer; absent where no label names lines. */
  readonly best?: number;
}

const candidates = 60;
const perDocument = 3;
/** As `rerank.ts` has them. */
const reranked = { pool: 20, further: 40 };
const steps = { rules: true, coherence: true, noise: true };

/** One question, to be ordered again and again. */
export interface Ordering {
  readonly question: KeptQuestion;
  order(shares: Shares): Candidate[];
  measure(shares: Shares): Measured;
}

/** The questions of a part, with what a space says of them. */
export function orderingsOf(part: KeptPart, space: KeptSpace): Ordering[] {
  const uris = part.documents.map(({ uri }) => uri);
  return part.questions.map((question, at) => {
    const asked = analyseQuery(question.text);
    const query = asked.paths.length > 0 ? { ...asked, paths: lookUp(asked.paths, uris) } : asked;
    const { dense = [], said = [] } = space.answers[at] ?? {};
    const lists: FoundList[] = question.lists.map(({ stage, matches }) => ({
      stage,
      weight: 0,
      matches: matchesOf(part, matches),
    }));
    const near = matchesOf(part, dense);
    const scores = new Map(matchesOf(part, said).map((match) => [chunkKey({ match }), match.score]));
    const notes: RuleNotes = new WeakMap();
    const bends = new Map<number, readonly StoreMatch[]>();
    const labels = question.labels.map((label) => ({ ...label, uris: new Set(label.uris) }));
    const order = ({ dense: suited, said: weight, power }: Shares): Candidate[] => {
      const share = near.length === 0 ? 0 : denseShare(query.kind, suited);
      // The same objects each time: what the rules say of them is kept.
      const matches = bends.get(power) ?? bent(near, power);
      bends.set(power, matches);
      const all = [
        { stage: 'dense', weight: share, matches },
        ...lists.map((list) => (list.stage === 'text' ? { ...list, weight: 1 - share } : list)),
      ];
      return orderOf(query, all, scores, weight, notes);
    };
    return { question, order, measure: (shares) => measured(order(shares), labels) };
  });
}

function matchesOf({ chunks, documents }: KeptPart, scored: readonly Scored[]): StoreMatch[] {
  return scored.flatMap(([place, score]) => {
    const entry = chunks[place];
    const document = documents[entry?.document ?? -1];
    return entry && document ? [{ chunk: entry.chunk, document, score }] : [];
  });
}

function bent(near: readonly StoreMatch[], power: number): readonly StoreMatch[] {
  if (power === 1) return near;
  const lowest = near.at(-1)?.score ?? 0;
  const range = (near[0]?.score ?? 0) - lowest;
  return range > 0
    ? near.map((match) => ({ ...match, score: ((match.score - lowest) / range) ** power }))
    : near;
}

/** As `search` orders candidates. */
function orderOf(
  query: AnalysedQuery,
  lists: readonly FoundList[],
  scores: ReadonlyMap<string, number>,
  weight: number,
  notes: RuleNotes,
): Candidate[] {
  const found = { admitted: lists, whole: lists };
  const order = (scored?: Parameters<typeof rankCandidates>[5]) => {
    const { admitted } = rankCandidates(query, found, { candidates }, steps, 0, scored, notes);
    return spread(withoutNearDuplicates(admitted), perDocument);
  };
  const first = order();
  const pool = first.slice(0, reranked.pool);
  const documents = new Set(pool.map(({ match }) => match.document.id));
  const further = first
    .slice(reranked.pool)
    .filter(({ match }) => documents.has(match.document.id))
    .slice(0, reranked.further);
  const said = (those: readonly Candidate[]) =>
    new Map(
      those.flatMap((candidate) => {
        const score = scores.get(chunkKey(candidate));
        return score === undefined ? [] : [[chunkKey(candidate), score] as const];
      }),
    );
  return weight === 0 ? first : order({ scores: said(pool), further: said([...pool, ...further]), weight });
}

function measured(order: readonly Candidate[], labels: readonly ResolvedLabel[]): Measured {
  const hits = order.map(
    ({ match: { chunk, document }, score, trace, alsoAt }): Hit => ({
      chunk,
      document,
      relevance: 0,
      score,
      trace,
      ...(alsoAt && { alsoAt }),
    }),
  );
  const grades = labels.map(({ grade }) => grade);
  const files = labels.map(({ lines: _, ...label }) => label);
  const ndcg = (found: readonly Hit[], by: readonly ResolvedLabel[]) =>
    scoresOf(judge(foundTexts(found, {}), by).gains, grades).ndcg_10;
  const hasLines = labels.some(({ lines }) => lines !== undefined);
  return {
    file: ndcg(hits.slice(0, candidates), files),
    chunk: ndcgOfChunks(hits.slice(0, 10), files, grades),
    ...(hasLines && { best: ndcg(byDocument(hits, { topK: 10, perDocument }), labels) }),
  };
}

/** Every chunk takes a place, a later one of a file too. */
function ndcgOfChunks(
  hits: readonly Hit[],
  labels: readonly ResolvedLabel[],
  grades: readonly number[],
): number {
  const open = new Set(labels);
  const gains = hits.map((hit) => {
    const { gains } = judge(foundTexts([hit], {}), [...open]);
    for (const label of open) if (judge(foundTexts([hit], {}), [label]).gains[0]) open.delete(label);
    return Math.max(0, ...gains);
  });
  return scoresOf(gains, grades).ndcg_10;
}
