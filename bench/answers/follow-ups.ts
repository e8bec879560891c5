// What rewriting a follow-up question is worth: conversations that were written around questions of users with a known
// page (ray-docs-v2new). The follow-up is searched for as it is, as the rules put it together, and as the user had asked it
// by itself, which is the best that a rewriting model could do. With a model in the settings, also as that writes it.
// Usage: npx node bench/answers/follow-ups.ts FOLDER [PAGES] [KEY=VALUE of settings …]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rewriteQuery } from '../../src/answering/ask/rewrite-query.ts';
import { openPages, type Page, pagesWith, settingsOf } from './page-project.ts';

/** The question before, the follow-up, and the question of the collection that it means. */
const conversations: readonly (readonly [before: string, followUp: string, question: string])[] = [
  ['What is TorchTrainer?', 'How do I run it on gpu?', 'rayb001'],
  ['What is the object store for?', 'Can I increase its memory size?', 'rayb002'],
  ['What are Ray libraries?', 'How do I install them all at once?', 'rayb003'],
  ['How do I set up an on-prem cluster?', 'And how do I autoscale it?', 'rayb004'],
  ['What is a detached actor?', 'Could you give an example of one?', 'rayb006'],
  ['What are the blocks of a dataset?', 'How do I change their number?', 'rayb009'],
  ['What does ray start do?', 'What is the difference to ray up?', 'rayb010'],
  ['What is the GCS?', 'What does it store?', 'rayb014'],
  ['What is tune.Tuner?', 'How can I set the search algorithm with that?', 'rayb023'],
  ['How do I schedule tasks on GPUs?', 'How does Ray know how many of them a node has?', 'rayb024'],
  ['How do I monitor a Ray cluster?', 'Does that work with datadog?', 'rayb026'],
  ['What does the Ray dashboard show?', 'How do I start it?', 'rayb031'],
  ['Where does Ray keep its session files?', 'Can they be in another directory than /tmp/ray?', 'rayb033'],
  ['How do I configure a Serve deployment?', 'What about max_retries?', 'rayb037'],
  ['How do I track experiments of Ray Train?', 'And with wandb?', 'rayb039'],
  ['What is Ray Data?', 'How does it read from a Python list of strings?', 'rayb040'],
  ['What is Ray Serve?', 'How does its health check work?', 'rayb043'],
  ['What is Ray Client?', 'What are its architectural limitations?', 'rayb049'],
  ['How do I transform a dataset?', 'How can I cast a column of it to String?', 'rayb055'],
  ['How do I see failed tasks?', 'And their error traceback?', 'rayb057'],
  ['How many tasks run at the same time?', 'How do I limit that?', 'rayb062'],
  ['What is an actor?', 'Can calls on it be asynchronous?', 'rayb076'],
  ['What are finished actors?', 'Are they ever garbage collected?', 'rayb077'],
  ['What is KubeRay?', 'How do I configure autoscaling with it?', 'rayb079'],
  ['How does Serve handle many requests?', 'How does batching them work?', 'rayb080'],
  ['What is Ray Tune?', 'How do I save a checkpoint with that?', 'rayb102'],
  ['Which metrics does a Ray cluster have?', 'How do I see them with Prometheus?', 'rayb108'],
  ['What does ray.get do?', 'And how does ray.wait differ from it?', 'rayb132'],
  ['What is a Tune experiment?', 'How do I restore one?', 'rayb143'],
  ['Can an actor use a GPU?', 'How do I share one between several?', 'rayb125'],
];
const deep = 5;

const [folder = '', pages = '100', ...given] = process.argv.slice(2);
const rows = <Row>(file: string): Row[] =>
  readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
const gold = new Map(
  readFileSync(join(folder, 'qrels.tsv'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t') as [string, string]),
);
const texts = new Map(
  rows<{ _id: string; text: string }>('queries.jsonl').map(({ _id, text }) => [_id, text]),
);
const corpus = rows<Page>('corpus.jsonl');
const needed = new Set(conversations.map(([, , id]) => gold.get(id) ?? ''));

const settings = settingsOf(given);
const { project, close } = await openPages(pagesWith(needed, corpus, Number(pages)), settings);
try {
  const ranks: Record<string, number[]> = { 'as it is': [], 'by rules': [], 'asked by itself': [] };
  if (settings['generator.driver'] !== 'none') ranks['by the model'] = [];
  for (const [before, followUp, id] of conversations) {
    const history = [{ role: 'user', content: before }] as const;
    const queries: Record<string, string> = {
      'as it is': followUp,
      'by rules': rewriteQuery(followUp, history),
      'asked by itself': texts.get(id) ?? '',
      ...(ranks['by the model'] && { 'by the model': await queryOfModel(followUp, history) }),
    };
    for (const [way, query] of Object.entries(queries))
      ranks[way]?.push(await rankOf(query, gold.get(id) ?? ''));
    if (process.env.SHOW)
      console.log(followUp, JSON.stringify(queries['by the model'] ?? ''), ranks['by rules']?.at(-1));
  }
  console.log(
    `| searched for | page among the first ${deep} | first | mean reciprocal rank |\n|---|---|---|---|`,
  );
  for (const [way, list] of Object.entries(ranks)) {
    const share = (max: number) => (list.filter((rank) => rank <= max).length / list.length).toFixed(3);
    const reciprocal = list.reduce((sum, rank) => sum + (rank <= deep ? 1 / rank : 0), 0) / list.length;
    console.log(`| ${way} | ${share(deep)} of ${list.length} | ${share(1)} | ${reciprocal.toFixed(3)} |`);
  }
} finally {
  await close();
}

/** The place of a page among the pages that are found; infinite where it is not. */
async function rankOf(query: string, page: string): Promise<number> {
  const { hits } = await project.search(query, { update: false, threshold: 0, topK: 20 });
  const place = [...new Set(hits.map(({ document }) => document.uri))].indexOf(page);
  return place < 0 ? Number.POSITIVE_INFINITY : place + 1;
}

async function queryOfModel(
  question: string,
  history: readonly { role: 'user'; content: string }[],
): Promise<string> {
  const asking = project.ask(question, { update: false, history });
  for await (const event of asking) if (event.type === 'sources-found') return event.query;
  return question;
}
