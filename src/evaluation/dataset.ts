import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A document of a test collection. */
export interface CorpusDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Where documents have one, a question is asked only within its own scope. */
  readonly scope?: string;
}

/** A question of a test collection with its judgements: grade by document, above 0 is relevant. */
export interface JudgedQuestion {
  readonly id: string;
  readonly text: string;
  readonly scope?: string;
  readonly relevant: ReadonlyMap<string, number>;
}

/** A test collection. */
export interface Dataset {
  readonly documents: readonly CorpusDocument[];
  /** Questions with at least one relevant document. */
  readonly questions: readonly JudgedQuestion[];
}

/** Reads a collection: `corpus.jsonl` and `queries.jsonl` with `_id` and `text`, `qrels.tsv` with a grade a line. */
export async function readDataset(folder: string): Promise<Dataset> {
  const [corpus, queries, judgements] = await Promise.all([
    readFile(join(folder, 'corpus.jsonl'), 'utf8'),
    readFile(join(folder, 'queries.jsonl'), 'utf8'),
    readFile(join(folder, 'qrels.tsv'), 'utf8'),
  ]);
  const relevant = new Map<string, Map<string, number>>();
  for (const line of judgements.split('\n')) {
    const [question = '', document = '', grade = ''] = line.trim().split('\t');
    if (!(Number(grade) > 0)) continue;
    const grades = relevant.get(question) ?? new Map<string, number>();
    relevant.set(question, grades.set(document, Number(grade)));
  }
  return {
    documents: jsonLines(corpus).map((row) => ({
      id: String(row._id),
      title: String(row.title ?? ''),
      text: String(row.text),
      ...scopeOf(row),
    })),
    questions: jsonLines(queries)
      .map((row) => ({
        id: String(row._id),
        text: String(row.text),
        relevant: relevant.get(String(row._id)) ?? new Map<string, number>(),
        ...scopeOf(row),
      }))
      .filter((question) => question.relevant.size > 0),
  };
}

function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function scopeOf(row: Record<string, unknown>): { scope?: string } {
  return row.scope === undefined ? {} : { scope: String(row.scope) };
}
