// How far answers can be relied on: the share of cited texts that lie in the page known to hold the answer, and the share
// of sentences that are caught when the sources are swapped for those of another question. Also what each threshold of
// relevance lets through: questions of the collection, and questions of another one, which have no answer here.
// Usage: npx node bench/answers/faithfulness.ts FOLDER OTHER_FOLDER [QUESTIONS] [PAGES] [KEY=VALUE of settings …]
// A model in the settings (generator.driver=gguf generator.model=FILE) writes the answers; else sentences are quoted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkAnswer } from '../../src/answering/ask/check-answer.ts';
import type { AnswerOutcome } from '../../src/index.ts';
import { openPages, type Page, pagesWith, settingsOf } from './page-project.ts';

const [folder = '', otherFolder = '', questions = '40', pages = '150', ...given] = process.argv.slice(2);
const rows = <Row>(file: string): Row[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
type Question = { _id: string; text: string };

const gold = new Map<string, string[]>();
for (const line of readFileSync(join(folder, 'qrels.tsv'), 'utf8').trim().split('\n').slice(1)) {
  const [query = '', document = ''] = line.split('\t');
  gold.set(query, [...(gold.get(query) ?? []), document]);
}
const asked = rows<Question>(join(folder, 'queries.jsonl'))
  .filter(({ _id }) => gold.has(_id))
  .slice(0, Number(questions));
const foreign = rows<Question>(join(otherFolder, 'queries.jsonl')).slice(0, Number(questions));
const needed = new Set(asked.flatMap(({ _id }) => gold.get(_id) ?? []));
const corpus = rows<Page>(join(folder, 'corpus.jsonl'));

const settings = settingsOf(given);
const { project, close } = await openPages(pagesWith(needed, corpus, Number(pages)), settings);
try {
  const answers: { question: Question; outcome: AnswerOutcome }[] = [];
  const started = performance.now();
  for (const question of asked) {
    const stream = project.ask(question.text, { update: false });
    let step = await stream.next();
    while (!step.done) step = await stream.next();
    answers.push({ question, outcome: step.value });
    if (process.env.SHOW) console.log(`\n## ${question.text}\n${step.value.answer}`);
  }
  const seconds = (performance.now() - started) / 1000 / answers.length;
  report(answers, seconds);
  await reportThresholds();
} finally {
  await close();
}

function report(answers: readonly { question: Question; outcome: AnswerOutcome }[], seconds: number): void {
  const right = ({ _id }: Question) => gold.get(_id) ?? [];
  const cited = answers.flatMap(({ question, outcome }) =>
    outcome.sources.filter(({ isCited }) => isCited).map(({ uri }) => right(question).includes(uri)),
  );
  const found = answers.map(({ question, outcome }) =>
    outcome.sources.some(({ uri }) => right(question).includes(uri)),
  );
  const reached = answers.map(({ question, outcome }) =>
    outcome.sources.some(({ uri, isCited }) => isCited && right(question).includes(uri)),
  );
  const verdicts = answers.flatMap(({ outcome }) => outcome.sentences.map(({ verdict }) => verdict));
  const checkedNow = verdicts.filter((verdict) => verdict !== 'unchecked');
  const swapped = answers.flatMap(({ outcome }, index) => {
    const other = answers[(index + 7) % answers.length];
    if (!other || outcome.sentences.length === 0) return [];
    const checker = checkAnswer(other.outcome.sources.toSorted((one, two) => one.number - two.number));
    checker.push(
      outcome.sentences
        .filter(({ verdict }) => verdict === 'supported')
        .map(({ text }) => text)
        .join(' '),
    );
    checker.end();
    return checker.sentences.map(({ verdict }) => verdict).filter((verdict) => verdict !== 'unchecked');
  });
  const kinds = Object.entries(Object.groupBy(answers, ({ outcome }) => outcome.kind)).map(
    ([kind, list]) => `${kind} ${list?.length}`,
  );
  console.log(`${answers.length} questions (${kinds.join(', ')}), ${seconds.toFixed(2)} s each`);
  console.log(`page found among the sources: ${share(found)}; cited: ${share(reached)}`);
  console.log(`cited texts inside the known page: ${share(cited)} of ${cited.length}`);
  console.log(
    `sentences supported: ${share(checkedNow.map((verdict) => verdict === 'supported'))} of ${checkedNow.length} checked`,
  );
  const marked = checkedNow.filter((verdict) => verdict === 'unsupported').length;
  const uncited = answers.flatMap(({ outcome }) =>
    outcome.sentences.filter(({ verdict, cited }) => verdict !== 'unchecked' && cited.length === 0),
  );
  console.log(
    `of ${verdicts.length} sentences ${marked} are marked, ${verdicts.length - checkedNow.length} say too little; ${uncited.length} of those checked cite nothing themselves`,
  );
  console.log(
    `caught with swapped sources: ${share(swapped.map((verdict) => verdict === 'unsupported'))} of ${swapped.length}`,
  );
}

async function reportThresholds(): Promise<void> {
  const best = async (text: string) =>
    (await project.search(text, { update: false, threshold: 0 })).hits[0]?.relevance ?? 0;
  const own: number[] = [];
  const others: number[] = [];
  for (const { text } of asked) own.push(await best(text));
  for (const { text } of foreign) others.push(await best(text));
  console.log('| threshold | own questions answered | foreign questions answered |\n|---|---|---|');
  for (const bound of [0.005, 0.05, 0.1, 0.15, 0.2, 0.3])
    console.log(
      `| ${bound} | ${share(own.map((value) => value >= bound))} | ${share(others.map((value) => value >= bound))} |`,
    );
}

function share(values: readonly boolean[]): string {
  return (values.filter(Boolean).length / Math.max(1, values.length)).toFixed(3);
}
