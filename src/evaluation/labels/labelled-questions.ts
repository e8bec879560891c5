import { createHash } from 'node:crypto';
import { isAbsolute, relative } from 'node:path';
import { z } from 'zod';
import { badLine, jsonLines } from './json-lines.ts';
import type { JudgedQuestion, Label } from './judgement.ts';

/** How a line of labelled questions looks. */
export const labelledExample =
  '{"text": "where are passwords hashed?", "relevant": ["src/auth/hash.ts", {"path": "docs/security.md:10-24", "grade": 2}]}';

const text = z.string().refine((value) => value.trim() !== '', 'must not be empty');
const grade = z.number().min(0).max(100);
const path = z.string().refine((value) => value.trim() !== '', 'must not be empty');
const category = z.union([z.string(), z.number()]).transform(String);

const rowSchema = z.strictObject({
  id: z
    .union([z.string().min(1), z.int()])
    .transform(String)
    .optional(),
  text,
  category: category.optional(),
  relevant: z.array(z.union([path, z.strictObject({ path, grade: grade.default(1) })])).default([]),
});

/** Questions from a file, and how many of its lines have no label. */
export interface LabelledQuestions {
  readonly questions: readonly JudgedQuestion[];
  /** Questions without anything relevant; they cannot be scored. */
  readonly unjudged: number;
}

/** Reads a user's own questions: one per line, with the paths, ends of paths or lines of files that answer it. */
export async function readLabelledQuestions(
  file: string,
  projectFolder: string,
  signal?: AbortSignal,
): Promise<LabelledQuestions> {
  const questions = new Map<string, JudgedQuestion>();
  const lines = new Map<string, number>();
  let unjudged = 0;
  for await (const { line, row } of jsonLines(file, rowSchema, labelledExample, signal)) {
    // A question that moves to another line stays the same question.
    const id = row.id ?? createHash('sha256').update(row.text).digest('hex').slice(0, 10);
    const previous = lines.get(id);
    if (previous !== undefined)
      throw badLine(file, line, `is the same question as line ${previous} (${id})`, labelledExample);
    lines.set(id, line);
    const labels = row.relevant
      .map((entry) => (typeof entry === 'string' ? { path: entry, grade: 1 } : entry))
      .filter((entry) => entry.grade > 0)
      .map((entry) =>
        labelOf(entry, projectFolder, (problem) => badLine(file, line, problem, labelledExample)),
      );
    if (labels.length === 0) unjudged += 1;
    else
      questions.set(id, {
        id,
        text: row.text,
        labels,
        ...(row.category !== undefined && { category: row.category }),
      });
  }
  return { questions: [...questions.values()], unjudged };
}

/** Reads `src/a.ts`, `a.ts:12` and `a.ts:12-20`; a path may be absolute or written with backslashes. */
function labelOf(
  entry: { readonly path: string; readonly grade: number },
  projectFolder: string,
  problem: (text: string) => Error,
): Label {
  const [, written = '', first, last = first] =
    /^(.*?)(?::(\d+)(?:-(\d+))?)?$/s.exec(entry.path.trim()) ?? [];
  const inside = isAbsolute(written) ? relative(projectFolder, written) : written;
  const plain = inside.replaceAll('\\', '/').replace(/^(\.?\/)+/, '');
  if (plain === '') throw problem(`"${entry.path}" names no file`);
  if (first === undefined) return { path: plain, grade: entry.grade };
  const lines = [Number(first), Number(last)] as const;
  if (lines[0] < 1 || lines[1] < lines[0]) throw problem(`"${entry.path}" has no proper range of lines`);
  return { path: plain, grade: entry.grade, lines };
}

/** Whether a path is what a label means: the same, or ending with it at the border of a folder. */
export function endsWithPath(uri: string, path: string): boolean {
  return uri === path || uri.endsWith(`/${path}`);
}
