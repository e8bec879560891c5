import { settingToText } from '../project/settings/setting-text.ts';
import { type EvaluateOptions, type EvaluationEvent, evaluateSet, type Run } from './evaluate-set.ts';
import type { EvaluatedSet, Evaluation, RunComparison } from './evaluation-result.ts';
import type { EvaluationSet } from './evaluation-set.ts';
import { compareRuns, pairsOf, summariseSets } from './summary.ts';

/** Two runs, by name, of which the second is the one in question. */
export type RunPair = readonly [before: string, after: string];

/** Evaluates all sets in all runs, and compares the pairs of runs question by question. */
export async function* evaluate(
  sets: readonly EvaluationSet[],
  runs: readonly Run[],
  pairs: readonly RunPair[],
  options: EvaluateOptions = {},
): AsyncGenerator<EvaluationEvent, Evaluation> {
  const started = performance.now();
  const evaluated: EvaluatedSet[] = [];
  for (const set of sets) evaluated.push(yield* evaluateSet(set, runs, options));
  return {
    format: 'quarry-evaluation-1',
    created_at: new Date().toISOString(),
    runs: runs.map(({ name, settings, denseWeight }) => ({
      name,
      settings: Object.fromEntries(
        Object.entries(settings).map(([key, value]) => [key, shownSetting(key, value)]),
      ),
      ...(denseWeight !== undefined && { dense_weight: denseWeight }),
    })),
    sets: evaluated,
    overall: runs.map(({ name }) => summariseSets(name, evaluated)),
    comparisons: pairs.flatMap((pair) => comparePair(evaluated, pair)),
    floors: [],
    warnings: [],
    seconds: (performance.now() - started) / 1000,
    files: [],
  };
}

/** A setting as it may be saved and shown: without keys, and without what people hide in addresses. */
export function shownSetting(key: string, value: unknown): unknown {
  // `api_key` and `token` are, `max_tokens` and `redact_secrets` are not.
  if (/(?:^|_)(?:keys?|secret|token|passwords?)$/i.test(key.split('.').at(-1) ?? '')) return '(hidden)';
  return JSON.parse(settingToText(value ?? null));
}

function comparePair(sets: readonly EvaluatedSet[], [before, after]: RunPair): RunComparison[] {
  const pairs = sets.map(
    (set) => [set.name, pairsOf(set, ({ answers }) => answers[before]?.scores, after)] as const,
  );
  return compareRuns({ before, after }, new Map(pairs));
}
