import { callChecks } from './reranker-conformance/calls.ts';
import type { RerankerCheck } from './reranker-conformance/reranker-check.ts';
import { scoreChecks } from './reranker-conformance/scores.ts';

export type { OpenReranker, RerankerCheck } from './reranker-conformance/reranker-check.ts';

/**
 * Everything a reranker promises, as checks that any test runner can loop over. Each check opens the reranker, with the
 * same settings every time, and closes what it opened.
 */
export const rerankerConformance: readonly RerankerCheck[] = [...scoreChecks, ...callChecks];
