import { resolve } from 'node:path';
import { QuarryError } from '../core/errors.ts';
import type { EvaluationEvent } from '../core/events.ts';
import { shownSetting } from '../core/settings/shown-setting.ts';
import { evaluateSet } from './evaluate-set.ts';
import type { EvaluatedSet, Evaluation, RunComparison } from './evaluation-result.ts';
import type { EvaluationSet, GivenSettings } from './evaluation-set.ts';
import { checkFloors, parseFloors } from './measures/floors.ts';
import { pairedSets } from './measures/paired-runs.ts';
import { compareRuns, summariseSets } from './measures/summary.ts';
import { planRuns, type Run, type RunChoices, type RunPair } from './plan-runs.ts';
import { compareWithSaved, readSaved } from './report/saved-evaluation.ts';
import { writeReport, writeWhole } from './report/write-report.ts';

/** Options of an evaluation. */
export interface EvaluationRequest extends RunChoices {
  /** What the first run must reach, as `METRIC=VALUE`. */
  readonly floor: readonly string[];
  /** A file for the result. */
  readonly save?: string | undefined;
  /** A saved result to compare with. */
  readonly against?: string | undefined;
  /** A folder for the report. */
  readonly report?: string | undefined;
}

/** What an evaluation runs with. */
export interface EvaluationOptions {
  /** Settings of every run, above those of files and environment. */
  readonly settings: GivenSettings;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Evaluates the sets in every run, compares the runs and a saved result question by question, checks the floors, and
 * writes result and report. `openSets` is called once, after all other options were checked.
 */
export async function* evaluate(
  openSets: (runs: readonly Run[]) => Promise<readonly EvaluationSet[]>,
  request: EvaluationRequest,
  { settings, signal }: EvaluationOptions,
): AsyncGenerator<EvaluationEvent, Evaluation> {
  const started = performance.now();
  const floors = parseFloors(request.floor);
  const { runs, pairs } = planRuns(request, settings);
  // Read first, so that an unusable file fails before an hour of work.
  const saved = request.against === undefined ? undefined : await readSaved(resolve(request.against));
  const evaluated: EvaluatedSet[] = [];
  for (const set of toldApart(await openSets(runs)))
    evaluated.push(yield* evaluateSet(set, runs, { textOnly: request.text_only, signal }));
  const overall = runs.map(({ name }) => summariseSets(name, evaluated));
  const shownRuns = runs.map(shownRun);
  const previous = saved && compareWithSaved({ runs: shownRuns, sets: evaluated }, saved);
  return keep(
    {
      format: 'quarry-evaluation-1',
      created_at: new Date().toISOString(),
      runs: shownRuns,
      sets: evaluated,
      overall,
      comparisons: [
        ...pairs.flatMap((pair) => comparePair(evaluated, pair)),
        ...(previous?.comparisons ?? []),
      ],
      floors: overall.slice(0, 1).flatMap((engine) => checkFloors(floors, engine)),
      warnings: [...(previous?.warnings ?? [])],
      seconds: (performance.now() - started) / 1000,
      files: [],
    },
    request,
  );
}

/** Each set has its own name: a second one of the same name gets a number. A set without a question is refused. */
function toldApart(sets: readonly EvaluationSet[]): EvaluationSet[] {
  const taken = new Set<string>();
  return sets.map((set) => {
    if (set.parts.length === 0) throw nothingToAsk(set);
    let name = set.name;
    for (let number = 2; taken.has(name); number += 1) name = `${set.name} (${number})`;
    taken.add(name);
    return { ...set, name };
  });
}

function nothingToAsk({ name, unjudged }: EvaluationSet): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `${name} has no question to ask${unjudged > 0 ? `: none of ${unjudged} has a label` : ''}.`,
    'Write for at least one question what is relevant to it.',
  );
}

function shownRun({ name, settings, denseWeight }: Run): Evaluation['runs'][number] {
  return {
    name,
    settings: Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [key, shownSetting(key, value ?? null)]),
    ),
    ...(denseWeight !== undefined && { dense_weight: denseWeight }),
  };
}

function comparePair(sets: readonly EvaluatedSet[], [before, after]: RunPair): RunComparison[] {
  const runOf = (run: string) => ({ evaluation: { sets }, run });
  return compareRuns({ before, after }, pairedSets(runOf(before), runOf(after)));
}

async function keep(result: Evaluation, { save, report }: EvaluationRequest): Promise<Evaluation> {
  const files: string[] = [];
  if (report !== undefined) files.push(...(await writeReport(resolve(report), result)));
  if (save !== undefined) {
    await writeWhole(resolve(save), `${JSON.stringify(result)}\n`);
    files.push(resolve(save));
  }
  return { ...result, files };
}
