/**
 * Checks the written questions and reports how they are made up.
 * Run: node training/questions/check.ts FOLDER, where FOLDER/<source id>/ holds each unpacked package.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Answer {
  readonly path: string;
  /** First and last line, counted from 1, both included. */
  readonly lines: readonly [number, number];
}

interface Question {
  readonly question: string;
  readonly kind: string;
  readonly answers: readonly Answer[];
  /** What else answers, of the passages that the engine found: of held-out packages only. */
  readonly judged?: readonly Answer[];
}

interface Source {
  readonly id: string;
  readonly language: string;
  readonly split: string;
}

interface Written extends Question {
  readonly source: Source;
  /** Where the question stands, for messages. */
  readonly place: string;
}

const kinds = 'how-to where-is why what-is architecture error half-remembered symptom usage compare'.split(
  ' ',
);
/** Kinds in which a question may be nothing but a name. */
const namingKinds = ['half-remembered', 'where-is', 'error'];
const emptyWords = new Set(
  `a an and are as at be but by can do does for from get has have how i if in instead is it its me my no not of on
  one or s so that the their them then there they this to t up use used want was what when where which while who why
  will with without you your`.split(/\s+/),
);

const here = import.meta.dirname;
const unpacked = process.argv[2] ?? '';
if (!existsSync(unpacked)) throw new Error('Give the folder of the unpacked packages as the first argument.');

const problems: string[] = [];
const sources = readSources();
const written = readdirSync(here)
  .filter((name) => name.endsWith('.jsonl'))
  .sort()
  .flatMap(readQuestions);

for (const question of written) checkQuestion(question);
checkDuplicates();
report();
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function readSources(): Map<string, Source> {
  const [header, ...rows] = readFileSync(join(here, 'sources.tsv'), 'utf8').trimEnd().split('\n');
  const columns = header?.split('\t') ?? [];
  const at = (row: string, column: string) => row.split('\t')[columns.indexOf(column)] ?? '';
  const read = rows.map((row) => ({
    id: at(row, 'id'),
    language: at(row, 'language'),
    split: at(row, 'split'),
  }));
  for (const { id, split } of read) {
    if (split !== 'train' && split !== 'held-out')
      problems.push(`sources.tsv: ${id} has the split "${split}"`);
    if (!existsSync(join(here, `${id}.jsonl`))) problems.push(`sources.tsv: ${id} has no questions`);
  }
  return new Map(read.map((source) => [source.id, source]));
}

function readQuestions(name: string): Written[] {
  const id = name.slice(0, -'.jsonl'.length);
  const source = sources.get(id);
  if (source === undefined) {
    problems.push(`${name}: not in sources.tsv`);
    return [];
  }
  const rows = readFileSync(join(here, name), 'utf8').trimEnd().split('\n');
  return rows.map((row, index) => ({ ...parseQuestion(row), source, place: `${name}:${index + 1}` }));
}

function parseQuestion(row: string): Question {
  // The files are our own; checkQuestion looks at every field.
  return JSON.parse(row) as Question;
}

function checkQuestion({ question, kind, answers, judged, source, place }: Written): void {
  const words = question.split(/\s+/);
  if (words.length > 25) problems.push(`${place}: ${words.length} words`);
  if (!kinds.includes(kind)) problems.push(`${place}: unknown kind "${kind}"`);
  if (answers.length === 0) problems.push(`${place}: no answer`);
  if (words.length === 1 && !namingKinds.includes(kind)) problems.push(`${place}: only a name`);
  if ((judged !== undefined) !== (source.split === 'held-out'))
    problems.push(`${place}: ${judged ? 'judged, though trained on' : 'not judged'}`);
  for (const { path, lines } of [...answers, ...(judged ?? [])]) {
    const [first, last] = lines;
    const count = linesOf(source.id, path).length;
    if (!(first >= 1 && first <= last && last <= count))
      problems.push(`${place}: ${path} has no lines ${first}-${last}, it has ${count}`);
  }
}

function linesOf(id: string, path: string): string[] {
  const file = join(unpacked, id, path);
  if (!existsSync(file) || !statSync(file).isFile()) return [];
  return readFileSync(file, 'utf8').split('\n');
}

function checkDuplicates(): void {
  const places = new Map<string, string>();
  for (const { question, place } of written) {
    const key = contentWords(question).join(' ');
    const earlier = places.get(key);
    if (earlier !== undefined) problems.push(`${place}: the same question as ${earlier}`);
    places.set(key, place);
  }
}

/** The telling words of a text, in lower case, names cut where their case changes, plural endings dropped. */
function contentWords(text: string): string[] {
  const cut = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const words = cut.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !emptyWords.has(word)).map((word) => word.replace(/(?<=...)(es|s)$/, ''));
}

/** Share of a question's telling words that occur in its answers. */
function overlapOf({ question, answers, source }: Written): number {
  const words = [...new Set(contentWords(question))];
  const text = answers.flatMap(({ path, lines }) => linesOf(source.id, path).slice(lines[0] - 1, lines[1]));
  const answering = new Set(contentWords(text.join('\n')));
  return words.filter((word) => answering.has(word)).length / Math.max(words.length, 1);
}

function report(): void {
  const overlaps = written.map(overlapOf);
  const low = overlaps.filter((overlap) => overlap < 0.5).length;
  console.log(`${written.length} questions over ${sources.size} sources`);
  print('kind', countBy(written.map(({ kind }) => kind)));
  print('language', countBy(written.map(({ source }) => source.language)));
  print('split', countBy(written.map(({ source }) => source.split)));
  print('answers', countBy(written.map(({ answers }) => `${answers.length}`)));
  print('judged', countBy(written.flatMap(({ judged }) => (judged ? [`${judged.length}`] : []))));
  print('overlap', countBy(overlaps.map((overlap) => `${Math.floor(overlap * 5) / 5}`)));
  console.log(`under half of the words in the answer: ${Math.round((100 * low) / written.length)} %`);
}

function countBy(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([one], [other]) => one.localeCompare(other));
}

function print(title: string, counts: readonly [string, number][]): void {
  console.log(`${title}: ${counts.map(([name, count]) => `${name} ${count}`).join(', ')}`);
}
