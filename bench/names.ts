// Is the definition shown where a name is asked for? Draws names from the code graph of folders, asks for each in four ways, and looks whether what is shown
// of the first hit has a line that declares it.
// Usage: npx node bench/names.ts FOLDER … [--each N] [--seed N] [--text] [--halves] [--save FILE] [--against FILE]
//   Each FOLDER holds one unpacked project, whose index is made beside it. `--each` names are drawn of each kind (types, functions, methods, constants), `--text` searches without vectors,
//   `--halves` prints every other folder alone, `--save` keeps what became of each, and `--against` compares with such a file.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { testPath } from '../src/core/documents/test-path.ts';
import { compare } from '../src/evaluation/measures/comparison.ts';
import { graphRows, type KeptDefinition } from '../src/graph/file/graph-rows.ts';
import { openProject } from '../src/project/open-project.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    text: { type: 'boolean', default: false },
    halves: { type: 'boolean', default: false },
    save: { type: 'string' },
    against: { type: 'string' },
  },
});

/** The kinds of which names are drawn evenly. */
const drawn: Readonly<Record<string, readonly string[]>> = {
  type: ['class', 'struct', 'interface', 'type', 'enum', 'trait', 'module', 'object'],
  function: ['function', 'macro'],
  method: ['method'],
  constant: ['constant', 'variable'],
};

/** A definition and where it is. */
interface Named extends KeptDefinition {
  readonly uri: string;
}

/** What became of one question. */
interface Outcome {
  readonly folder: number;
  readonly form: string;
  readonly group: string;
  /** Where it is declared. */
  readonly wanted: readonly string[];
  /** What was shown first. */
  readonly shown: string;
  readonly isFirst: boolean;
  /** Whether the chunk that is shown of some hit has the line. */
  readonly isThere: boolean;
  /** Whether the first hit is printed with the line. */
  readonly isPrinted: boolean;
}

const outcomes: Record<string, Outcome> = {};
for (const [folder, path] of positionals.entries()) {
  const project = await openProject(resolve(path));
  const how = values.text ? { giveWay: AbortSignal.abort() } : {};
  for await (const event of project.index(how)) if (event.type === 'vectors-failed') throw event.error;
  const all = definitionsOf(path);
  for (const [group, kinds] of Object.entries(drawn)) {
    const admitted = all.filter(
      ({ kind, name, uri, scope }) =>
        kinds.includes(kind) &&
        isAName(name) &&
        !testPath.test(uri) &&
        (group !== 'constant' || scope.length === 0),
    );
    for (const one of sample(admitted, Number(values.each), `${values.seed} ${basename(path)} ${group}`)) {
      for (const [form, text] of Object.entries(formsOf(one))) {
        const meant = all.filter((other) => isMeant(other, one, form));
        const { hits, digest } = await project.search(text, {
          update: false,
          digest: {},
          ...(values.text && { denseWeight: 0 }),
        });
        const has = (hit: (typeof hits)[number] | undefined) =>
          meant.some(({ uri, line }) => hit?.document.uri === uri && holds(hit.chunk.place, line));
        const [first] = hits;
        const printed = digest?.lead?.pieces.flatMap(({ line = 0, text: piece }) =>
          piece.split('\n').map((_, at) => line + at),
        );
        outcomes[`${basename(path)} ${text}`] = {
          folder,
          form,
          group,
          wanted: meant.map(({ uri, line }) => `${uri}:${line}`),
          shown: first
            ? `${first.document.uri} ${JSON.stringify(first.chunk.place)} ${first.chunk.section} ${first.chunk.symbol?.name}`
            : '',
          isFirst: has(first),
          isThere: hits.some(has),
          isPrinted: meant.some(({ uri, line }) => digest?.lead?.path === uri && printed?.includes(line)),
        };
      }
    }
  }
  await project.close();
  console.error(basename(path));
}
report('all', Object.values(outcomes));
if (values.halves)
  for (const half of [0, 1])
    report(
      `half ${half + 1}`,
      Object.values(outcomes).filter(({ folder }) => folder % 2 === half),
    );
if (values.save) writeFileSync(values.save, JSON.stringify(outcomes, undefined, 1));
if (values.against) {
  const before = JSON.parse(readFileSync(values.against, 'utf8')) as typeof outcomes;
  const ids = Object.keys(outcomes).filter((id) => before[id]);
  const of = (run: typeof outcomes) => ids.map((id) => (run[id]?.isFirst ? 1 : 0));
  console.log('first, compared:', compare(of(before), of(outcomes)));
  for (const id of ids)
    if (before[id]?.isFirst !== outcomes[id]?.isFirst) console.log(outcomes[id]?.isFirst ? '+' : '-', id);
}

function definitionsOf(path: string): Named[] {
  const database = new DatabaseSync(join(path, '.quarry', 'graph', 'graph.sqlite'), { readOnly: true });
  const rows = graphRows(database);
  const all = [...rows.versions().values()].flatMap(({ id, uri }) =>
    rows.definitionsIn(id).map((definition) => ({ ...definition, uri })),
  );
  database.close();
  return all;
}

/** A letter is no name that somebody looks up, and an operator neither. */
function isAName(name: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$?!]{2,}$/u.test(name);
}

function formsOf({ name, scope, kind }: Named): Record<string, string> {
  const owner = scope.at(-1);
  return {
    bare: name,
    ...(kind === 'method' && owner && { qualified: `${owner}.${name}` }),
    where: `where is ${name} defined`,
    does: `what does ${name} do`,
  };
}

/** Any definition of the name, or of that owner's where it was given; where it has one with a body, not what only announces it. */
function isMeant(other: Named, one: Named, form: string): boolean {
  const isOwned = form !== 'qualified' || other.scope.at(-1) === one.scope.at(-1);
  return other.name === one.name && isOwned && other.kind !== 'declaration';
}

function holds(place: { kind: string; first: unknown; last: unknown }, line: number): boolean {
  return place.kind === 'lines' && Number(place.first) <= line && line <= Number(place.last);
}

/** So many of them with different names, the same each time. */
function sample(definitions: readonly Named[], count: number, seed: string): Named[] {
  const unique = [...new Map(definitions.map((one) => [one.name, one])).values()];
  const rank = (one: Named) => hash(`${seed} ${one.name}`);
  return unique.toSorted((one, other) => rank(one) - rank(other)).slice(0, count);
}

function hash(text: string): number {
  let value = 2166136261;
  for (const letter of text) value = Math.imul(value ^ letter.charCodeAt(0), 16777619);
  value = Math.imul(value ^ (value >>> 15), 2246822507);
  return (value ^ (value >>> 13)) >>> 0;
}

function report(title: string, all: readonly Outcome[]): void {
  const share = (those: readonly Outcome[], of: (one: Outcome) => boolean) =>
    `${those.filter(of).length} of ${those.length} (${(those.filter(of).length / those.length).toFixed(3)})`;
  for (const by of ['form', 'group'] as const)
    for (const [name, those] of Map.groupBy(all, (one) => one[by]))
      console.log(
        `${title}, ${name}: first ${share(those, (one) => one.isFirst)}, any hit ${share(those, (one) => one.isThere)}, printed ${share(those, (one) => one.isPrinted)}`,
      );
  console.log(`${title}: first ${share(all, (one) => one.isFirst)}`);
}
