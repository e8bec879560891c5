import { commitChecks } from './store-conformance/commits.ts';
import { fenceChecks } from './store-conformance/fences.ts';
import { filterChecks } from './store-conformance/filters.ts';
import { hostileInputChecks } from './store-conformance/hostile-input.ts';
import { keyedChunkChecks } from './store-conformance/keyed-chunks.ts';
import { patternSearchChecks } from './store-conformance/pattern-search.ts';
import { preparationChecks } from './store-conformance/preparation.ts';
import { readingChecks } from './store-conformance/reading.ts';
import { recordChecks } from './store-conformance/records.ts';
import { scaleChecks } from './store-conformance/scale.ts';
import { soundnessChecks } from './store-conformance/soundness.ts';
import type { StoreCheck } from './store-conformance/store-check.ts';
import { textSearchChecks } from './store-conformance/text-search.ts';
import { vectorLifeChecks } from './store-conformance/vector-life.ts';
import { vectorSearchChecks } from './store-conformance/vector-search.ts';
import { writingChecks } from './store-conformance/writing.ts';

export type { OpenStore, StoreCheck } from './store-conformance/store-check.ts';

/**
 * Everything that every store promises, as checks that any test runner can loop over. Give each check a new, empty store,
 * and close every handle that it opened afterwards.
 */
export const storeConformance: readonly StoreCheck[] = [
  ...writingChecks,
  ...commitChecks,
  ...fenceChecks,
  ...readingChecks,
  ...filterChecks,
  ...textSearchChecks,
  ...vectorLifeChecks,
  ...vectorSearchChecks,
  ...recordChecks,
  ...hostileInputChecks,
  ...soundnessChecks,
  ...scaleChecks,
];

/** The same for each capability that a store may declare beyond the core. */
export const storeCapabilityConformance = {
  patternSearch: patternSearchChecks,
  searchPreparing: preparationChecks,
  keyedChunks: keyedChunkChecks,
} as const;
