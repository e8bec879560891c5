// Evaluates test collections as `quarry eval` evaluates a user's own questions, with the same flags.
//   npx node bench/evaluate.ts [--modes] [--text-only] [--limit N] [--extension md] [--set KEY=VALUE …]
//     [--with KEY=VALUE …] [--floor METRIC=VALUE …] [--save FILE] [--against FILE] [--report FOLDER] [--json] FOLDER …
// A folder holds corpus.jsonl (`_id`, `title`, `text`), queries.jsonl (`_id`, `text`) and qrels.tsv (question, document
// and grade with tabs between); a `scope` on documents and questions means: ask only within that scope. Without a
// corpus each line of queries.jsonl names an npm `package` with its version, the `root` folder in it, `text` and
// `relevant` paths; it comes through your own npm, and none of its scripts run. Texts are written to files in the folder
// `evaluation` of Quarry's cache, and index and vectors are kept there for the next time.
// `questions:FOLDER:train` and `questions:FOLDER:held-out` in place of a folder ask the questions of training/questions of
// the packages that are unpacked in FOLDER; with `:files` at the end the whole file is the answer, not its lines.
// `repositories:FOLDER:QUESTIONS` asks QUESTIONS/NAME/queries.jsonl of each repository that is unpacked as FOLDER/NAME.
import { parseArgs } from 'node:util';
import { evaluate } from '../src/evaluation/evaluate.ts';
import { processEnvironment, userCacheFolder } from '../src/platform/environment.ts';
import { renderEvaluation } from '../src/surfaces/cli/render/eval.ts';
import { readSet } from './collections/read-set.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    modes: { type: 'boolean', default: false },
    'text-only': { type: 'boolean', default: false },
    limit: { type: 'string' },
    extension: { type: 'string' },
    set: { type: 'string', multiple: true, default: [] },
    with: { type: 'string', multiple: true, default: [] },
    floor: { type: 'string', multiple: true, default: [] },
    save: { type: 'string' },
    against: { type: 'string' },
    report: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
const options = {
  cacheFolder: userCacheFolder(processEnvironment),
  limit: values.limit === undefined ? undefined : Number(values.limit),
  extension: values.extension,
  signal: stop.signal,
};
const settings = Object.fromEntries(values.set.map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
const work = evaluate(
  () => Promise.all(positionals.map((folder) => readSet(folder, options))),
  { ...values, text_only: values['text-only'] },
  { settings, signal: stop.signal },
);
let step = await work.next();
for (; !step.done; step = await work.next()) {
  const { value: event } = step;
  if (event.type === 'document-failed') console.error(event.uri, event.reason);
  if (event.type === 'questions-answered' && process.stderr.isTTY)
    process.stderr.write(`\r${event.set} ${event.done} of ${event.total} `);
}
if (values.json) console.log(JSON.stringify(step.value));
else
  renderEvaluation(step.value, {
    result: console.log,
    note: console.error,
    status() {},
    link: (text) => text,
    style: (_, text) => text,
    styleNote: (_, text) => text,
    live: false,
  });
