// How much of what answers a question does a search show? Looks for the lines that people named as answers in what is printed for it.
// Usage: npx node bench/shown.ts SET … [--limit N] [--save FILE] [--against FILE]
//   SET is one of bench/evaluate.ts whose labels name lines, such as questions:FOLDER:held-out. A saved run is compared question by question.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Digest } from '../src/core/digest.ts';
import type { JudgedQuestion } from '../src/evaluation/labels/judgement.ts';
import { compare } from '../src/evaluation/measures/comparison.ts';
import { mean } from '../src/evaluation/measures/metrics.ts';
import { processEnvironment, userCacheFolder } from '../src/platform/environment.ts';
import { readSet } from './collections/read-set.ts';

/** What is printed for one question. */
interface Shown {
  /** The largest share of the lines of one answer. */
  readonly share: number;
  readonly characters: number;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { limit: { type: 'string' }, save: { type: 'string' }, against: { type: 'string' } },
});
const cacheFolder = userCacheFolder(processEnvironment);
const asked: Record<string, Shown> = {};
for (const name of positionals) {
  const limit = values.limit === undefined ? undefined : Number(values.limit);
  const { parts } = await readSet(name, { cacheFolder, limit });
  for (const part of parts) {
    const { project, close } = await part.open({});
    for await (const event of project.index()) if (event.type === 'vectors-failed') throw event.error;
    for (const question of part.questions) {
      const { digest } = await project.search(question.text, { update: false, digest: {} });
      if (digest) asked[question.id] = shownOf(digest, question);
    }
    await close();
  }
}

const all = Object.values(asked);
const shareOf = (admits: (shown: Shown) => boolean) => (all.filter(admits).length / all.length).toFixed(3);
console.log(`${all.length} questions`);
console.log(`some line of an answer is shown for ${shareOf(({ share }) => share > 0)}`);
console.log(`half of an answer or more for ${shareOf(({ share }) => share >= 0.5)}`);
console.log(`lines of the best shown answer ${mean(all.map(({ share }) => share)).toFixed(3)}`);
console.log(`characters of texts ${Math.round(mean(all.map(({ characters }) => characters)))}`);
if (values.save) writeFileSync(values.save, JSON.stringify(asked));
if (values.against) {
  const before = JSON.parse(readFileSync(values.against, 'utf8')) as typeof asked;
  const ids = Object.keys(asked).filter((id) => before[id]);
  const sharesOf = (run: typeof asked) => ids.map((id) => run[id]?.share ?? 0);
  console.log('lines of the best shown answer, compared:', compare(sharesOf(before), sharesOf(asked)));
}

function shownOf({ lead, places }: Digest, { labels }: JudgedQuestion): Shown {
  const texts = [...(lead ? [lead] : []), ...places].flatMap(({ path, pieces = [], beside }) =>
    [...pieces, ...(beside?.pieces ?? [])].map((piece) => ({ path, ...piece })),
  );
  const lines = new Set(
    texts.flatMap(({ path, line, text }) =>
      line === undefined ? [] : text.split('\n').map((_, at) => `${path}:${line + at}`),
    ),
  );
  const shares = labels.map(({ path, lines: [first, last] = [1, 0] }) => {
    const wanted = Array.from({ length: last - first + 1 }, (_, at) => `${path}:${first + at}`);
    return wanted.filter((line) => lines.has(line)).length / Math.max(1, wanted.length);
  });
  return { share: Math.max(0, ...shares), characters: texts.reduce((sum, { text }) => sum + text.length, 0) };
}
