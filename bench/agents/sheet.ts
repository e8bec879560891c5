import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { QuarryError } from '../../src/core/errors.ts';
import { codeNames } from './code-bases.ts';
import { type Question, readQuestions } from './questions.ts';
import { readAnswers, roundFolder, runsOf, textOf } from './run-folder.ts';

const itemSchema = z.object({
  item: z.string(),
  code: z.enum(codeNames),
  question: z.string(),
  points: z.array(z.string()),
  places: z.array(z.string()),
  answer: z.string(),
  /** Of each point, whether the answer makes it; null until it is judged. */
  met: z.array(z.boolean().nullable()),
});
const sheetSchema = z.object({ how: z.string(), items: z.array(itemSchema) });
const keySchema = z.record(z.string(), z.object({ arm: z.string(), id: z.string() }));

/** Answers of a round to be judged, without a word of who gave them. */
export type Sheet = z.output<typeof sheetSchema>;
/** Who gave which answer; not for judges. */
export type SheetKey = z.output<typeof keySchema>;

/** An answer before it is shuffled. */
export interface Given {
  readonly arm: string;
  readonly question: Question;
  readonly answer: string;
}

const how =
  'For each item, set "met" to true or false for each of its "points", in their order. A point is met when the answer says it ' +
  'in whatever words, names or detail; half of a point, or a claim that contradicts it, does not meet it. Look at the code ' +
  'in the places where you are in doubt. Items of one question stand together: judge them alike. Change nothing else.';

/** Shuffles questions, and the answers to each; their names say nothing of the arm. */
export function shuffledSheet(given: readonly Given[], random: () => number = Math.random) {
  const groups = shuffled([...Map.groupBy(given, ({ question }) => question.id).values()], random);
  const key: SheetKey = {};
  const items = groups.flatMap((group, place) =>
    shuffled(group, random).map(({ arm, question, answer }, at) => {
      const item = `${place + 1}${String.fromCharCode(65 + at)}`;
      key[item] = { arm, id: question.id };
      const { code, question: asked, points, places } = question;
      return { item, code, question: asked, points, places, answer, met: points.map(() => null) };
    }),
  );
  return { sheet: { how, items } satisfies Sheet, key };
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  const left = [...values];
  const out: Value[] = [];
  while (left.length > 0) out.push(...left.splice(Math.floor(random() * left.length), 1));
  return out;
}

const sheetFile = 'sheet.json';
const keyFile = 'sheet-key.json';

/** Writes the sheet of a round and returns its path, with what a judge could recognise an arm by. */
export async function writeSheet(
  work: string,
  round: number,
): Promise<{ readonly path: string; readonly warnings: readonly string[] }> {
  const folder = roundFolder(work, round);
  const path = join(folder, sheetFile);
  const before = await textOf(path);
  if (before !== undefined && sheetSchema.parse(JSON.parse(before)).items.some(isTouched))
    throw new QuarryError(
      'usage-invalid',
      `${path} is judged already.`,
      'Delete it to judge the round again.',
    );
  const given: Given[] = [];
  const warnings: string[] = [];
  for (const { folder: place, run } of await runsOf(work, round)) {
    const answers = await readAnswers(place);
    if (!answers) warnings.push(`${place} has no answers yet: it is left out`);
    for (const question of answers ? await readQuestions(run.code) : []) {
      const answer = answers?.[question.id]?.trim() ?? '';
      if (answer === '') continue;
      if (namesTool(answer, run.code)) warnings.push(`${place}, ${question.id}: the answer names a tool`);
      given.push({ arm: run.arm, question, answer });
    }
  }
  const { sheet, key } = shuffledSheet(given);
  await writeFile(path, `${JSON.stringify(sheet, null, 2)}\n`);
  await writeFile(join(folder, keyFile), `${JSON.stringify(key, null, 2)}\n`);
  return { path, warnings };
}

/** Points met by arm and question. */
export type Judged = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Reads the judged sheet of a round; undefined where nobody has begun it. Fails where one point of it is not judged. */
export async function readJudged(work: string, round: number): Promise<Judged | undefined> {
  const folder = roundFolder(work, round);
  const text = await textOf(join(folder, sheetFile));
  const keyText = await textOf(join(folder, keyFile));
  if (text === undefined || keyText === undefined) return undefined;
  const sheet = sheetSchema.parse(JSON.parse(text));
  return sheet.items.some(isTouched) ? judgedBy(sheet, keySchema.parse(JSON.parse(keyText))) : undefined;
}

export function judgedBy({ items }: Sheet, key: SheetKey): Judged {
  const judged = new Map<string, Map<string, number>>();
  for (const { item, met, points } of items) {
    const whose = key[item];
    if (!whose || met.length !== points.length || met.includes(null))
      throw new QuarryError('usage-invalid', `Item ${item} is not judged.`, 'Set "met" of each point.');
    const own = judged.get(whose.arm) ?? new Map<string, number>();
    judged.set(whose.arm, own.set(whose.id, met.filter((one) => one === true).length));
  }
  return judged;
}

function isTouched({ met }: Sheet['items'][number]): boolean {
  return met.some((one) => one !== null);
}

/** The project itself is called like the tool. */
function namesTool(answer: string, code: string): boolean {
  return /\.\/do\b|\bripgrep\b|\brg\b/.test(answer) || (code !== 'quarry' && /\bquarry\b/i.test(answer));
}
