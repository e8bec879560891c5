import { join } from 'node:path';
import { z } from 'zod';
import { badLine, jsonLines } from '../../src/evaluation/labels/json-lines.ts';
import { type CodeName, codeNames } from './code-bases.ts';

const questionSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+-\d\d$/, 'must be the code base, "-" and two digits'),
  code: z.enum(codeNames),
  question: z.string().min(40),
  /** What a complete answer says: a judge says of each whether it does. */
  points: z.array(z.string().min(10)).min(2).max(5),
  /** Where the answer is decided. */
  places: z.array(z.string().regex(/^[^#\s]+#[\w$.]+$/, 'must be FILE#SYMBOL')).min(1),
});

/** A question in plain words about a code base, with the answer that was written before anybody was asked. */
export type Question = z.output<typeof questionSchema>;

const example =
  '{"id": "dircproxy-01", "code": "dircproxy", "question": "…", "points": ["…", "…"], "places": ["src/main.c#main"]}';

/** The questions about one code base, in their order. Ids are unique, and name the code base. */
export async function readQuestions(
  code: CodeName,
  folder = join(import.meta.dirname, 'questions'),
): Promise<Question[]> {
  const file = join(folder, `${code}.jsonl`);
  const questions: Question[] = [];
  for await (const { line, row } of jsonLines(file, questionSchema, example)) {
    if (row.code !== code || !row.id.startsWith(`${code}-`))
      throw badLine(file, line, `${row.id} is about ${row.code}, the file about ${code}`, example);
    if (questions.some(({ id }) => id === row.id))
      throw badLine(file, line, `the id ${row.id} stands twice`, example);
    questions.push(row);
  }
  return questions;
}

/** The deciding places that a code base does not have; `read` gives the text of a file, or undefined where there is none. */
export async function placesMissing(
  questions: readonly Question[],
  read: (path: string) => Promise<string | undefined>,
): Promise<string[]> {
  const missing: string[] = [];
  for (const { id, places } of questions) {
    for (const place of places) {
      const [path = '', symbol = ''] = place.split('#');
      const text = await read(path);
      const words = new Set(text?.match(/[\w$]+/g));
      if (!symbol.split('.').every((part) => words.has(part))) missing.push(`${id}: ${place}`);
    }
  }
  return missing;
}
