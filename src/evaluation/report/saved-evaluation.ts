import { readFile } from 'node:fs/promises';
import { messageOf, QuarryError } from '../../core/errors.ts';
import { counted } from '../counted.ts';
import { type Evaluation, evaluationSchema, type RunComparison } from '../evaluation-result.ts';
import { compareRuns, pairsOf, type ScorePair } from '../measures/summary.ts';

/** Reads the result of a former evaluation. */
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
    `${file} is no saved evaluation of this version (${parsed.error.issues[0]?.path.join('.')}).`,
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
    const pairs = new Map<string, ScorePair[]>();
    for (const set of now.sets) {
      const former = saved.sets.find((candidate) => candidate.name === set.name);
      const known = new Map(former?.questions.map((question) => [question.id, question]));
      const same = pairsOf(
        set,
        ({ id, text }) => (known.get(id)?.text === text ? known.get(id)?.answers[before]?.scores : undefined),
        name,
      );
      pairs.set(set.name, same);
      if (name === pairedRuns[0]?.name) warnings.push(...differencesOf(set, former, same.length));
    }
    return compareRuns({ before: `${before} (saved)`, after: name }, pairs);
  });
  if (comparisons.length === 0) throw nothingShared(saved);
  return { comparisons, warnings };
}

function differencesOf(
  set: Evaluation['sets'][number],
  former: Evaluation['sets'][number] | undefined,
  shared: number,
): string[] {
  if (!former) return [`The saved evaluation has no set ${set.name}.`];
  const left = set.questions.length - shared;
  return left > 0
    ? [`${set.name}: not in the saved evaluation, or changed since: ${counted(left, 'question')}.`]
    : [];
}

function nothingShared(saved: Evaluation): QuarryError {
  return new QuarryError(
    'usage-invalid',
    'The saved evaluation has no question in common with this one.',
    `Evaluate the same sets: ${saved.sets.map(({ name }) => name).join(', ')}.`,
  );
}
