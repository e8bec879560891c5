import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { QuarryError } from '../../src/core/errors.ts';
import type { EvaluationSet, SetOptions, SetPart } from '../../src/evaluation/evaluation-set.ts';
import type { JudgedQuestion } from '../../src/evaluation/labels/judgement.ts';
import { openProject } from '../../src/project/open-project.ts';

const questionsFolder = join(import.meta.dirname, '..', '..', 'training', 'questions');

/** Whether a set is one of those that `readWrittenQuestions` reads. */
export function isWritten(name: string): boolean {
  return name.startsWith('questions:');
}

/**
 * The questions of training/questions about packages that are unpacked as FOLDER/ID, each a part of its own:
 * `questions:FOLDER:train`, `questions:FOLDER:held-out`, or one ID. Labels name the lines that answer, or with `:files` at
 * the end the whole files. Packages that FOLDER lacks are not asked about.
 */
export function readWrittenQuestions(
  name: string,
  { limit = Number.POSITIVE_INFINITY }: Pick<SetOptions, 'limit'> = {},
): EvaluationSet {
  const [, folder = '', wanted = '', judgedBy] = name.split(':');
  const ids = sources().flatMap(({ id, split }) => (wanted === split || wanted === id ? [id] : []));
  const unpacked = ids.filter((id) => existsSync(join(folder, id)));
  if (unpacked.length === 0)
    throw new QuarryError(
      'usage-invalid',
      `There is no package for ${name} in ${resolve(folder)}.`,
      'Unpack the archives of training/questions/sources.tsv there, each in a folder named by its id.',
    );
  let left = limit;
  const parts = unpacked.map((id): SetPart => {
    const questions = questionsAbout(id, judgedBy === 'files').slice(0, left);
    left -= questions.length;
    return {
      questions,
      async open(settings) {
        const project = await openProject(resolve(folder, id), { settings });
        return { project, isMeant: () => false, nameOf: (uri) => uri, close: () => project.close() };
      },
    };
  });
  return {
    name: ['questions', wanted, ...(judgedBy === undefined ? [] : [judgedBy])].join('/'),
    parts: parts.filter(({ questions }) => questions.length > 0),
    unjudged: 0,
    warnings: [],
  };
}

function sources(): { readonly id: string; readonly split: string }[] {
  const [header = '', ...rows] = readFileSync(join(questionsFolder, 'sources.tsv'), 'utf8')
    .trimEnd()
    .split('\n');
  const split = header.split('\t').indexOf('split');
  return rows.map((row) => {
    const cells = row.split('\t');
    return { id: cells[0] ?? '', split: cells[split] ?? '' };
  });
}

/** The questions about one package; none where nobody has asked about it. */
export function questionsAbout(id: string, byFile: boolean): JudgedQuestion[] {
  const file = join(questionsFolder, `${id}.jsonl`);
  if (!existsSync(file)) return [];
  const rows = readFileSync(file, 'utf8').trimEnd().split('\n');
  return rows.map((row, index) => {
    // The files are our own, and training/questions/check.ts looks at every field.
    const { question, kind, answers, judged = [] } = JSON.parse(row) as WrittenQuestion;
    const labels = [...answers, ...judged].map(({ path, lines }) => ({
      path,
      grade: 1,
      ...(!byFile && { lines }),
    }));
    return { id: `${id}/${index + 1}`, text: question, category: kind, labels };
  });
}

interface WrittenQuestion {
  readonly question: string;
  readonly kind: string;
  readonly answers: readonly Answer[];
  /** What else answers, of the passages that the engine found. */
  readonly judged?: readonly Answer[];
}

interface Answer {
  readonly path: string;
  readonly lines: [number, number];
}
