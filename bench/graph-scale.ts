// How much processor time does the graph of a large project take to answer, and how large is its file?
// Usage: npx node bench/graph-scale.ts [FILES [FOLDER]]    20,000 by default; the files are made up: each defines ten functions and calls thirty, of its own folder and of others.
//   With a folder, such as node_modules, its files of code stand there three times, until there are so many.
import { glob, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CodeReference, FileGraph } from '../src/core/code-graph.ts';
import type { Document } from '../src/core/document.ts';
import { createCodeChunker } from '../src/drivers/chunkers/code/code.ts';
import { factsOf } from '../src/graph/answers/facts.ts';
import { findDefinitions, wantedName } from '../src/graph/answers/find-definitions.ts';
import { createReferences } from '../src/graph/answers/references.ts';
import { calleesOf } from '../src/graph/answers/related.ts';
import { createCodeGraph } from '../src/graph/code-graph.ts';

const files = Number(process.argv[2] ?? 20_000);
const sources = process.argv[3];
const perFile = 10;
const uriOf = (at: number): string => `src/part-${Math.floor(at / 40)}/file-${at}.ts`;
/** Every tenth name is that of many files, as `open` and `close` are. */
const nameOf = (file: number, at: number): string =>
  at === 0 ? `common${file % 50}` : `functionNumber${at}OfFile${file}`;

function graphOf(file: number): FileGraph {
  const others = [1, 2, 3].map((step) => (file + step * 37) % files);
  const definitions = Array.from({ length: perFile }, (_, at) => ({
    name: nameOf(file, at),
    kind: 'function',
    scope: [],
    line: at * 12 + 1,
    column: 17,
    firstLine: at * 12 + 1,
    lastLine: at * 12 + 10,
    signature: `export function ${nameOf(file, at)}(input: string, options: Options): Promise<Outcome>`,
    exported: true,
  }));
  const references = definitions.flatMap(({ firstLine }, within): CodeReference[] => [
    { name: nameOf(file, (within + 1) % perFile), kind: 'call', line: firstLine + 1, column: 3, within },
    ...others.map(
      (other): CodeReference => ({
        name: nameOf(other, within),
        kind: 'call',
        line: firstLine + 2,
        column: 3,
        within,
      }),
    ),
  ]);
  const imports = others.flatMap((other) =>
    Array.from({ length: perFile }, (_, at) => ({
      from: `../part-${Math.floor(other / 40)}/file-${other}.ts`,
      name: nameOf(other, at),
      local: nameOf(other, at),
    })),
  );
  return { language: 'typescript', definitions, references, imports };
}

interface Source {
  readonly uri: string;
  readonly graph: FileGraph;
}

function* madeUp(): Generator<Source> {
  for (let at = 0; at < files; at += 1) yield { uri: uriOf(at), graph: graphOf(at) };
}

/** Files of code below a folder, three times each; what is very long is made by a program. */
async function* realOnes(root: string): AsyncGenerator<Source> {
  const chunker = createCodeChunker();
  // Any limits do: the graph does not depend on how code is cut.
  const sizes = { minTokens: 60, targetTokens: 200, maxTokens: 400, overlapTokens: 0 };
  const limits = { ...sizes, countTokens: (text: string) => text.length / 4 };
  let count = 0;
  for await (const path of glob('**/*.{ts,mts,js,mjs,cjs,py,go,java}', { cwd: root })) {
    const text = await readFile(join(root, path), 'utf8').catch(() => '');
    if (text === '' || text.length > 60_000) continue;
    const [id, uri, title] = [path, path, path];
    const of = { type: 'code', origin: 'file', mediaType: '', revision: '', modifiedAt: 0, metadata: {} };
    const { graph } = await chunker.chunk({ ...of, id, uri, title, text } as Document, limits);
    if (!graph) continue;
    for (const copy of ['one', 'two', 'three']) {
      yield { uri: `${copy}/${path}`, graph };
      count += 1;
      if (count >= files) return;
    }
  }
}

const folder = await mkdtemp(join(tmpdir(), 'bench-graph-'));
try {
  const graph = createCodeGraph({ stateFolder: folder, key: new Uint8Array(32), recipe: '1' });
  const code: { uri: string; hash: string }[] = [];
  let started = performance.now();
  for await (const { uri, graph: found } of sources ? realOnes(sources) : madeUp()) {
    graph.note(uri, '1', found);
    code.push({ uri, hash: '1' });
  }
  graph.flush();
  console.log(
    `${code.length} files ${sources ? 'read and ' : ''}written in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
  console.log(`${((await stat(join(folder, 'graph', 'graph.sqlite'))).size / 1e6).toFixed(1)} MB`);
  started = performance.now();
  graph.lag(code);
  console.log(
    `compared with the index in ${(performance.now() - started).toFixed(0)} ms, then as long as nothing changes not again`,
  );
  const asked = (what: string, names: readonly string[], ask: (name: string) => void): void => {
    const times = names.map((name) => {
      const from = process.cpuUsage();
      ask(name);
      const used = process.cpuUsage(from);
      return (used.user + used.system) / 1000;
    });
    const sorted = times.toSorted((one, other) => one - other);
    const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
    console.log(`${what}: median ${at(0.5)} ms, nine of ten ${at(0.9)} ms, most ${at(1)} ms`);
  };
  let views = 0;
  /** Each answer has its own view: nothing is left of what was read for another. */
  const viewed = (name: string) => {
    views += 1;
    const view = graph.view(graph.lag(code), `${views}`);
    return { view, references: createReferences(view), definitions: findDefinitions(view, wantedName(name)) };
  };
  const defined = graph
    .view(graph.lag(code))
    .definedNames()
    .toSorted((one, other) => other.count - one.count)
    .map(({ name }) => name);
  const rare = Array.from({ length: 100 }, (_, at) => defined.at(-1 - at * 97) ?? '');
  const common = sources ? defined.slice(0, 50) : defined.slice(0, 20);
  for (const [what, names] of [
    ['rare names', rare],
    ['names of hundreds of files', common],
  ] as const) {
    asked(`callers, ${what}`, names, (name) => {
      const { references, definitions } = viewed(name);
      references.of(definitions, ['call']);
    });
    asked(`callees, ${what}`, names, (name) => {
      const { references, definitions } = viewed(name);
      calleesOf(references, definitions.slice(0, 1));
    });
    asked(`facts, ${what}`, names, (name) => {
      const { view, references, definitions } = viewed(name);
      for (const definition of definitions.slice(0, 1)) factsOf(view, definition, references);
    });
  }
  graph.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
