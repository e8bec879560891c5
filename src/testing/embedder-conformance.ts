import { callChecks } from './embedder-conformance/calls.ts';
import { descriptionChecks } from './embedder-conformance/description.ts';
import type { EmbedderCheck } from './embedder-conformance/embedder-check.ts';
import { hostileTextChecks } from './embedder-conformance/hostile-texts.ts';
import { vectorChecks } from './embedder-conformance/vectors.ts';

export type { EmbedderCheck, OpenEmbedder } from './embedder-conformance/embedder-check.ts';

/**
 * Everything an embedder promises, as checks that any test runner can loop over. Each check opens the embedder, with
 * the same settings every time, and closes what it opened.
 */
export const embedderConformance: readonly EmbedderCheck[] = [
  ...vectorChecks,
  ...hostileTextChecks,
  ...callChecks,
  ...descriptionChecks,
];
