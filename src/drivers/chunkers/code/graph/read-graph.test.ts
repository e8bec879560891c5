import { describe, expect, test } from 'vitest';
import { sample } from '../../../../../test/samples.ts';
import type { FileGraph } from '../../../../core/code-graph.ts';
import { createCodeChunker } from '../code.ts';
import { languageOf } from '../languages.ts';
import { languages } from '../rules-of.ts';
import { characterLimits, documentOf } from '../samples.fixture.ts';
import { furtherSamples } from './further-samples.fixture.ts';
import { samples as commonSamples } from './samples.fixture.ts';

const samples = [...commonSamples, ...furtherSamples];

/** What a text of a language defines and mentions. */
async function graphOf(name: string, text: string): Promise<FileGraph> {
  const { graph } = await createCodeChunker().chunk(documentOf(name, text), characterLimits(60, 200, 400));
  if (!graph) throw new TypeError(`There is no graph of ${name}.`);
  return graph;
}

/** Kind and whole name of each definition, what it is or gives, and what it inherits from. */
const definitionsIn = ({ definitions }: FileGraph): string =>
  definitions
    .map(
      ({ kind, scope, name, type, parents }) =>
        `${kind} ${[...scope, name].join('.')}${type ? `: ${type}` : ''}${parents ? ` < ${parents}` : ''}`,
    )
    .join(' | ');

/** Line, kind and name of each mention, with what it is a member of. */
const mentionsIn = ({ references }: FileGraph): string =>
  references
    .map(({ line, kind, via, name }) => `${line} ${kind} ${via ? `${via} > ` : ''}${name}`)
    .join(' | ');

const importsIn = ({ imports }: FileGraph): string =>
  imports.map(({ from, name, local }) => `${from} ${name} ${local}`).join(' | ');

test('there is a sample of every language with a grammar', () => {
  expect(samples.map(([name]) => languageOf(name)).sort()).toEqual([...languages].sort());
});

test.each(samples)(
  '%s: definitions, mentions and imports are read with what they mean',
  async (name, text, ...expected) => {
    const graph = await graphOf(name, text);
    expect([definitionsIn(graph), mentionsIn(graph), importsIn(graph)]).toEqual(expected);
  },
);

test('in Swift, a value that a parameter has from the start is no name of the function', async () => {
  const graph = await graphOf(
    'a.swift',
    'let limit = 5\nfunc take(_ count: Int = limit) -> Int { return count }\n',
  );
  expect(definitionsIn(graph)).toBe('constant limit | function take: Int');
  expect(mentionsIn(graph)).toContain('2 use limit');
});

describe('what a mention stands in', () => {
  test('is the innermost definition around it, by its position', async () => {
    const { definitions, references } = await graphOf('a.ts', 'class A {\n  b() {\n    c();\n  }\n}\nd();\n');
    const within = references.map(({ name, within: at }) => [
      name,
      at === undefined ? '' : definitions[at]?.name,
    ]);
    expect(within).toEqual([
      ['c', 'b'],
      ['d', ''],
    ]);
  });

  test('is found with lines and columns from 1, in a text of any characters', async () => {
    const { references } = await graphOf('a.py', '# größe 🎈\nif "🎈": größe(1)\n');
    expect(references).toEqual([{ name: 'größe', kind: 'call', line: 2, column: 10 }]);
  });
});

describe('a name that is bound in a function', () => {
  test('is no mention of what another file defines', async () => {
    const text =
      'import { find } from "./a.ts";\nexport function run(find: Finder) { return find(1); }\nfind(2);\n';
    const calls = (await graphOf('a.ts', text)).references.filter(({ kind }) => kind === 'call');
    expect(calls.map(({ line }) => line)).toEqual([3]);
  });

  test('gives its members what it was declared as, or made from', async () => {
    const text = [
      'export async function run({ store: own, ...rest }: Parts) {',
      '  const { reading } = own;',
      '  const opened = await openStore(rest);',
      '  reading.rest();',
      '  opened.close();',
      '  (await own.state()).facts.get(1);',
      '}',
    ].join('\n');
    const calls = (await graphOf('a.ts', text)).references.filter(({ kind }) => kind === 'call');
    expect(calls.map(({ name, via }) => `${via ?? ''} ${name}`)).toEqual([
      ' openStore',
      'Parts.store.reading rest',
      'openStore() close',
      'Parts.store state',
      'Parts.store.state().facts get',
    ]);
  });
});

describe('signatures', () => {
  test('are on one line, without attributes and body, and with what a function gives however long it is', async () => {
    const parameters = Array.from({ length: 30 }, (_, at) => `parameter${at}: string`).join(',\n  ');
    const { definitions } = await graphOf(
      'a.ts',
      `@once\nexport function long(\n  ${parameters},\n): Promise<Store> {\n}\n`,
    );
    expect(definitions[0]).toMatchObject({ type: 'Store', exported: true, firstLine: 2 });
    expect(definitions[0]?.signature).toMatch(/^export function long\( parameter0: string.*…$/);
    expect(definitions[0]?.signature.length).toBeLessThanOrEqual(160);
  });
});

describe('a file that cannot be read by its syntax', () => {
  test('has an empty graph that says why', async () => {
    const graph = await graphOf('a.ts', 'const a = (((((;\n)))}}}'.repeat(50));
    expect(graph.definitions).toEqual([]);
    expect(graph.gap).toContain('syntax errors');
  });

  test('is read within bounds, however it is built', async () => {
    const hostile = [
      'a.'.repeat(40_000),
      'a('.repeat(20_000),
      '{a,'.repeat(20_000),
      'const {'.repeat(10_000),
      '<a'.repeat(20_000),
    ];
    const cases = ['a.ts', 'a.py', 'a.cpp'].flatMap((name) => hostile.map((text) => [name, text] as const));
    for (const [name, text] of sample(3, cases)) expect(await graphOf(name, text)).toBeDefined();
  }, 60_000);
});
