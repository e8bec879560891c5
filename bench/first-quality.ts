// How good the first answer of a folder is, from a look at it, against the same question asked of its complete index.
//   npx node bench/first-quality.ts [--limit 40] SET …     (sets as for bench/evaluate.ts)
// Each question is asked in a copy of the folder that nobody has searched, as by a process that has loaded no model: the complete
// index is made in a process of its own before, and asked afterwards.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { evaluateSet } from '../src/evaluation/evaluate-set.ts';
import type { EvaluatedSet } from '../src/evaluation/evaluation-result.ts';
import type { EvaluationSet, OpenedPart, SetPart } from '../src/evaluation/evaluation-set.ts';
import { compare } from '../src/evaluation/measures/comparison.ts';
import { openProject } from '../src/index.ts';
import { resultOf } from '../src/platform/streams.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { readSet } from './collections/read-set.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: 'string', default: '40' },
    keep: { type: 'string' },
    prepare: { type: 'boolean' },
  },
});
const cacheFolder = values.keep ?? (await temporaryFolder());
const options = { cacheFolder, limit: Number(values.limit) };
const looks: { files: number; read: number; milliseconds: number }[] = [];

if (values.prepare) {
  for (const name of positionals) await prepare(await readSet(name, options));
  process.exit();
}
const args = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
spawnSync(process.execPath, [...args, '--prepare', '--keep', cacheFolder], { stdio: 'inherit' });
console.log(
  '| set | questions | files | read | first answer | complete | share | difference | look ms p50 |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
for (const name of positionals) {
  looks.length = 0;
  const set = await readSet(name, options);
  const first = await ask({ ...set, parts: set.parts.map(asForTheFirstTime) });
  const full = await ask(set);
  console.log(rowOf(first, full));
}

/** Makes the complete index of each part. */
async function prepare({ parts }: EvaluationSet): Promise<void> {
  for (const part of parts) {
    const { project, close } = await part.open({});
    for await (const _ of project.index());
    await close();
  }
}

function ask(set: EvaluationSet): Promise<EvaluatedSet> {
  return resultOf(evaluateSet(set, [{ name: 'engine', settings: {} }]));
}

/** The same part, where each question finds a folder without an index. */
function asForTheFirstTime(part: SetPart): SetPart {
  return {
    ...part,
    async open(settings, signal): Promise<OpenedPart> {
      const opened = await part.open(settings, signal);
      const copy = await temporaryFolder();
      cpSync(opened.project.folder, copy, {
        recursive: true,
        filter: (path) => !path.includes('/.quarry'),
      });
      const project = {
        ...opened.project,
        search: async (question: string, given = {}) => {
          rmSync(join(copy, '.quarry'), { recursive: true, force: true });
          const fresh = await openProject(copy, { settings: { ...settings } });
          try {
            const began = performance.now();
            const { firstLook } = await resultOf(
              fresh.freshen({ question: { text: question, restLater: true }, vectors: false }),
            );
            const milliseconds = performance.now() - began;
            if (firstLook) looks.push({ files: firstLook.files, read: firstLook.read, milliseconds });
            return await fresh.search(question, { ...given, update: false });
          } finally {
            await fresh.close();
          }
        },
      };
      return { ...opened, project };
    },
  };
}

function rowOf(first: EvaluatedSet, full: EvaluatedSet): string {
  const { difference, interval, isReal } = compare(scoresOf(full), scoresOf(first));
  const [one, all] = [first, full].map(({ summaries }) => summaries[0]?.scores.ndcg_10 ?? 0);
  const bounds = interval.map((bound) => bound.toFixed(3)).join(' to ');
  const middle = (of: (look: (typeof looks)[number]) => number): number =>
    looks.map(of).sort((a, b) => a - b)[looks.length >> 1] ?? 0;
  return `| ${[
    first.name,
    first.questions.length,
    middle(({ files }) => files),
    middle(({ read }) => read),
    one?.toFixed(3),
    all?.toFixed(3),
    ((one ?? 0) / (all || 1)).toFixed(3),
    `${isReal ? '**' : ''}${difference.toFixed(3)}${isReal ? '**' : ''} (${bounds})`,
    middle(({ milliseconds }) => milliseconds).toFixed(0),
  ].join(' | ')} |`;
}

function scoresOf({ questions }: EvaluatedSet): number[] {
  return questions.map(({ answers }) => answers.engine?.scores.ndcg_10 ?? 0);
}
