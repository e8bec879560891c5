/**
 * Compares the calls in the graph of a folder with those that a compiler found, and says what the graph costs and how soon it answers.
 *
 * The compilers' side is made beforehand, with tools that are no part of this package:
 *
 *     npx scip-typescript index --output ts.scip        (in the folder of a package with its tsconfig.json)
 *     npx scip-python index --project-name x --output py.scip
 *     node bench/graph.ts FOLDER ts.scip
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCodeChunker } from '../src/drivers/chunkers/code/code.ts';
import { languageOf } from '../src/drivers/chunkers/code/languages.ts';
import { createReferences } from '../src/graph/answers/references.ts';
import { createCodeGraph } from '../src/graph/code-graph.ts';
import { compareCalls } from './graph/compare.ts';
import { readScip } from './graph/read-scip.ts';

const [folder = '.', index = 'index.scip'] = process.argv.slice(2);
const truth = readScip(index);
const texts = new Map<string, string>();
for (const uri of truth.keys()) if (languageOf(uri)) texts.set(uri, readFileSync(join(folder, uri), 'utf8'));

const state = mkdtempSync(join(tmpdir(), 'quarry-graph-'));
const graph = createCodeGraph({ stateFolder: state, key: new Uint8Array(32), recipe: 'bench' });
const chunker = createCodeChunker();
// Any limits do: the graph does not depend on how code is cut.
const limits = {
  minTokens: 60,
  targetTokens: 200,
  maxTokens: 400,
  overlapTokens: 0,
  countTokens: (text: string) => text.length / 4,
};
for (const [uri, text] of texts) {
  const document = {
    id: uri,
    uri,
    title: uri,
    type: 'code',
    origin: 'file',
    mediaType: '',
    text,
    revision: '',
    modifiedAt: 0,
    metadata: {},
  } as const;
  const { graph: found } = await chunker.chunk(document, limits);
  if (found) graph.note(uri, 'bench', found);
}
graph.flush();
const code = [...texts.keys()].map((uri) => ({ uri, hash: 'bench' }));
const lag = graph.lag(code);
const view = graph.view(lag);
const agreement = compareCalls(view, truth, (uri) => texts.get(uri) ?? '');

const percent = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
const { calls, found, foundCertain, certain, certainRight, pairs, pairsRight } = agreement;
console.log(`${texts.size} files, ${calls} calls that the compiler knows`);
console.log(`recall      ${percent(found, calls)} listed, ${percent(foundCertain, calls)} as certain`);
console.log(
  `precision   ${percent(certainRight, certain)} of ${certain} certain, ${percent(pairsRight, pairs)} of ${pairs} pairs with possible ones`,
);

const times: number[] = [];
for (const { name } of view.definedNames().filter((_, at) => at % 37 === 0)) {
  const started = performance.now();
  const once = graph.view(graph.lag(code));
  createReferences(once).of(once.definitionsOf(name));
  times.push(performance.now() - started);
}
times.sort((one, other) => one - other);
const at = (share: number): string => `${(times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1)} ms`;
console.log(`answers     median ${at(0.5)}, 95 % within ${at(0.95)}, ${times.length} names`);
console.log(`size        ${(statSync(join(state, 'graph', 'graph.sqlite')).size / 1e6).toFixed(1)} MB`);
if (process.argv.includes('--list'))
  for (const line of [
    ...agreement.missed.slice(0, 400).map((each) => `missed ${each}`),
    ...agreement.wrong.slice(0, 400).map((each) => `wrong ${each}`),
  ])
    console.log(line);
graph.close();
rmSync(state, { recursive: true });
