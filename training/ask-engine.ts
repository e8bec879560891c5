// Asks the engine every question of some sets and writes what it found: what a judge is trained and measured on.
// Usage: node training/ask-engine.ts OUTPUT [KEY=VALUE …] SET…
// A SET is what bench/evaluate.ts takes, or `packages:FOLDER:SET`: questions about npm packages that are unpacked as
// FOLDER/NAME@VERSION/package, for a machine without a network. Output: one JSON line a question; `rows` are the best chunks in the engine's order.
import { createWriteStream, readFileSync } from 'node:fs';
import { basename, join, posix, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { readSet } from '../bench/collections/read-set.ts';
import { embeddedText } from '../src/core/chunk.ts';
import type { Hit, StageTrace } from '../src/core/hit.ts';
import { searchCandidates } from '../src/core/search-options.ts';
import type { EvaluationSet, GivenSettings, SetPart } from '../src/evaluation/evaluation-set.ts';
import { foundTexts } from '../src/evaluation/labels/found-texts.ts';
import { judge, type ResolvedLabel } from '../src/evaluation/labels/judgement.ts';
import { endsWithPath } from '../src/evaluation/labels/labelled-questions.ts';
import { resolveLabels } from '../src/evaluation/labels/resolve-labels.ts';
import { scoresOf } from '../src/evaluation/measures/metrics.ts';
import { processEnvironment, userCacheFolder } from '../src/platform/environment.ts';
import { openProject } from '../src/project/open-project.ts';

/** Chunks of each question that are written. */
const maxRows = 45;

const [output = 'asked.jsonl', ...rest] = process.argv.slice(2);
const isSetting = (word: string) => /^[\w.]+=/.test(word);
const settings: GivenSettings = Object.fromEntries(
  rest.filter(isSetting).map((word) => word.split(/=(.*)/s).slice(0, 2)),
);
const lines = createWriteStream(output);
for (const name of rest.filter((word) => !isSetting(word))) {
  const set = name.startsWith('packages:')
    ? packageQuestions(name)
    : await readSet(name, { cacheFolder: userCacheFolder(processEnvironment) });
  for (const part of set.parts) await askPart(set.name, part);
}
lines.end();
await finished(lines);

async function askPart(set: string, part: SetPart): Promise<void> {
  const opened = await part.open(settings);
  try {
    for await (const event of opened.project.index()) if (event.type === 'vectors-failed') throw event.error;
    const known = new Map((await opened.project.manifest()).map((entry) => [entry.uri, entry]));
    for (const question of part.questions) {
      const { labels } = resolveLabels(question, opened, known);
      if (labels.length === 0) continue;
      const { hits } = await opened.project.search(question.text, {
        update: false,
        topK: searchCandidates,
        byDocument: false,
      });
      const found = foundTexts(hits, opened);
      const { gains } = judge(found, labels);
      const grades = labels.map(({ grade }) => grade);
      const rows = hits.slice(0, maxRows).map((hit) => ({
        text: embeddedText(hit.chunk),
        score: hit.score,
        ...partsOf(hit),
        ...judgedAs(hit, labels, opened),
      }));
      const { id, text } = question;
      const ndcg = scoresOf(gains, grades).ndcg_10;
      lines.write(`${JSON.stringify({ set, id, text, grades, ndcg, rows })}\n`);
    }
  } finally {
    await opened.close();
  }
}

/** Which labels a hit finds, by number, and what it is counted as: a chunk where labels name lines, else its document. */
function judgedAs(
  hit: Parameters<typeof foundTexts>[0][number],
  labels: readonly ResolvedLabel[],
  opened: Parameters<typeof foundTexts>[1],
) {
  const found = foundTexts([hit], opened);
  const byChunk = labels.some((label) => label.lines !== undefined);
  const finds = labels.flatMap((label, number) => (judge(found, [label]).gains[0] ? [number] : []));
  return { key: byChunk ? hit.chunk.id : hit.document.uri, finds };
}

/** What the score is made of: before the rules, what they add, the factor for noise, and the file that it adds to. */
function partsOf({ score, trace, document }: Hit) {
  const fused = trace.find(({ stage }) => stage === 'fuse')?.score ?? 0;
  const notes = trace.filter(({ stage }) => stage === 'rank');
  const isNoise = ({ note = '' }: StageTrace) => note.endsWith(' file');
  const isShare = ({ note = '' }: StageTrace) => note.startsWith('the share of its file');
  const sum = (entries: readonly StageTrace[]) => entries.reduce((total, entry) => total + entry.score, 0);
  const lift = sum(notes.filter((entry) => !isNoise(entry) && !isShare(entry)));
  const whole = fused + sum(notes.filter((entry) => !isNoise(entry)));
  return { fused, lift, noise: notes.some(isNoise) && whole > 0 ? score / whole : 1, file: document.uri };
}

/** Questions about unpacked npm packages; a label is a path or the end of one. */
function packageQuestions(name: string): EvaluationSet {
  const [, folder = '', set = ''] = name.split(':');
  const rows = readFileSync(join(set, 'queries.jsonl'), 'utf8').trimEnd().split('\n');
  // The set is checked where bench/collections reads it.
  const asked = rows.map((row) => JSON.parse(row) as PackageQuestion);
  const parts = [...Map.groupBy(asked, (row) => `${row.package} ${row.root}`).values()].map(
    (group): SetPart => {
      const { package: specification = '', root = '' } = group[0] ?? {};
      const fullPath = (uri: string) => posix.join(root, uri);
      return {
        questions: group.map(({ _id, text, relevant }) => ({
          id: `${_id}`,
          text,
          labels: relevant.map(({ path }) => ({ path, grade: 1 })),
        })),
        async open(given) {
          const home = join(folder, specification.replace('/', '+'), 'package', root);
          const project = await openProject(resolve(home), { settings: given });
          return {
            project,
            isMeant: (path, uri) => endsWithPath(fullPath(uri), path) || endsWithPath(path, fullPath(uri)),
            nameOf: fullPath,
            close: () => project.close(),
          };
        },
      };
    },
  );
  return { name: basename(set), parts, unjudged: 0, warnings: [] };
}

interface PackageQuestion {
  readonly _id: string | number;
  readonly package: string;
  readonly root: string;
  readonly text: string;
  readonly relevant: readonly { readonly path: string }[];
}
