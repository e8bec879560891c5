import type { QuestionKind } from '../core/question.ts';

/**
 * Share of vector search in the fused score by the kind of the question, for an embedder that is worth as much as text
 * search. Names are found by their letters: on questions about people in conversations 0.4 beats 0.5 by .017 nDCG, and
 * single identifiers in repositories do best from 0.2 to 0.3. For plain questions no value is better on all kinds of
 * text: functions want more, prose and repositories less.
 */
const denseShares: Readonly<Record<QuestionKind, number>> = {
  symbol: 0.3,
  path: 0.3,
  error: 0.4,
  named: 0.4,
  plain: 0.5,
};

/** The share that suits a question and an embedder; `suited` is what the embedder asks for with plain questions. */
export function denseShare(kind: QuestionKind, suited: number = denseShares.plain): number {
  return Math.min(1, (denseShares[kind] * suited) / denseShares.plain);
}
