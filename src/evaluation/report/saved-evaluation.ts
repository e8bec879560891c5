import { readFile } from 'node:fs/promises';
import { messageOf, QuarryError } from '../../core/errors.ts';
import { type Evaluation, evaluationSchema, type RunComparison } from '../evaluation-result.ts';
import { notShared, pairedSets } from '../measures/paired-runs.ts';
import { compareRuns } from '../measures/summary.ts';

/** Reads the result of a previous evaluation. */
export async function readSaved(file: string): Promise<Evaluation> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new QuarryError(
      'file-unreadable',
      `The saved evaluation ${file} cannot be read: ${messageOf(cause)}.`,
      'Name a file that was written with --save.',
      { cause },
    );
  }
  const parsed = evaluationSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new QuarryError(
    'usage-invalid',
    `${file} is not an evaluation that this version saved (${parsed.error.issues[0]?.path.join('.')}).`,
    'Name a file that was written with --save, or save it again.',
  );
}

/** The result of comparing with a saved evaluation. */
export interface SavedComparison {
  readonly comparisons: readonly RunComparison[];
  readonly warnings: readonly string[];
}

/** Compares each run with the saved one of its name, on the questions that have the same identity and text. */
export function compareWithSaved(now: Pick<Evaluation, 'runs' | 'sets'>, saved: Evaluation): SavedComparison {
  const warnings: string[] = [];
  const shared = now.runs.filter(({ name }) => saved.runs.some((run) => run.name === name));
  const pairedRuns = shared.length > 0 ? shared : now.runs.slice(0, 1);
  const comparisons = pairedRuns.flatMap(({ name }) => {
    const before = shared.length > 0 ? name : (saved.runs[0]?.name ?? '');
    const previous = { evaluation: saved, run: before };
    const sets = pairedSets(previous, { evaluation: now, run: name });
    if (name === pairedRuns[0]?.name) warnings.push(...sets.flatMap((set) => notShared(set, previous)));
    return compareRuns({ before: `${before} (saved)`, after: name }, sets);
  });
  if (comparisons.length === 0) throw nothingShared(saved);
  return { comparisons, warnings };
}

function nothingShared(saved: Evaluation): QuarryError {
  return new QuarryError(
    'usage-invalid',
    'The saved evaluation has no question in common with this one.',
    `Evaluate the same sets: ${saved.sets.map(({ name }) => name).join(', ')}.`,
  );
}
