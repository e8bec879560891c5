import type { QueryKind } from '../core/query.ts';

/**
 * Share of vector search in the fused score by the kind of the query, for an embedder that is worth as much as text
 * search. Names are found by their letters: on queries about people in conversations 0.4 beats 0.5 by .017 nDCG, and
 * single identifiers in repositories do best from 0.2 to 0.3. For plain queries no value is better on all kinds of
 * text: functions want more, prose and repositories less.
 */
const denseShares: Readonly<Record<QueryKind, number>> = {
  symbol: 0.3,
  path: 0.3,
  error: 0.4,
  named: 0.4,
  plain: 0.5,
};

/** The share that suits a query and an embedder; `suited` is what the embedder asks for with plain queries. */
export function denseShare(kind: QueryKind, suited: number = denseShares.plain): number {
  return Math.min(1, (denseShares[kind] * suited) / denseShares.plain);
}
