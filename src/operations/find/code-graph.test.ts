import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import { openProject } from '../../project/open-project.ts';
import type { OperationBody } from '../operation.ts';
import {
  calleesOperation,
  callersOperation,
  outlineOperation,
  refsOperation,
  relatedOperation,
} from './code-graph.ts';
import { readOperation } from './read.ts';
import { searchOperation } from './search.ts';

let project: Project;
beforeAll(async () => {
  const folder = await temporaryFolder({
    'src/tea.ts':
      'export function brew(leaves: string) {\n  return pour(leaves);\n}\nfunction pour(leaves: string) {\n  return leaves.trim();\n}\n',
    'src/shop.ts':
      "import { brew } from './tea.ts';\nexport class Shop {\n  serve() {\n    return brew('green');\n  }\n}\n",
    'test/tea.test.ts': "import { brew } from '../src/tea.ts';\nbrew('black');\n",
  });
  project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
});
afterAll(() => project.close());

/** Runs an operation as a surface does: input checked by its schema, output held to its schema. */
async function run<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: OperationBody<Input, Output>,
  input: z.input<Input>,
): Promise<z.output<Output>> {
  const work = operation.run(project, operation.input.parse(input) as z.output<Input>, {});
  let step = await work.next();
  while (!step.done) step = await work.next();
  return operation.output.parse(step.value);
}

describe('refs and callers', () => {
  test('give each mention with its line, its text and what is around it', async () => {
    const { definitions, mentions, certain, possible } = await run(callersOperation, { name: 'brew' });
    expect(definitions).toEqual([
      {
        name: 'brew',
        kind: 'function',
        citation: 'src/tea.ts:1-3',
        signature: 'export function brew(leaves: string)',
      },
    ]);
    expect(mentions[0]).toEqual({
      path: 'src/shop.ts',
      line: 4,
      column: 12,
      kind: 'call',
      within: 'Shop.serve',
      certainty: 'certain',
      text: "return brew('green');",
    });
    expect([mentions.length, certain, possible]).toEqual([2, 2, 0]);
  });

  test('leave out tests and other kinds where that is asked', async () => {
    const { mentions } = await run(refsOperation, { name: 'brew', kind: 'import', tests: false });
    expect(mentions.map(({ path, kind }) => `${kind} ${path}`)).toEqual(['import src/shop.ts']);
  });
});

test('callees give each definition once, with the lines of its calls', async () => {
  const { callees, foreign } = await run(calleesOperation, { name: 'src/tea.ts#brew' });
  expect(callees.map(({ name, citation, called_at }) => [name, citation, called_at])).toEqual([
    ['pour', 'src/tea.ts:4-6', [2]],
  ]);
  expect(foreign).toEqual([]);
});

test('an outline gives places that read takes as they stand', async () => {
  const { entries } = await run(outlineOperation, { path: 'src/shop.ts' });
  for (const { citation, name } of entries) {
    const [path = '', lines = ''] = citation.split(':');
    const [first = 0, last = first] = lines.split('-').map(Number);
    expect((await project.read({ path, lines: [first, last] })).text).toContain(name);
  }
  expect(entries.map(({ depth, name }) => `${depth} ${name}`)).toEqual(['0 Shop', '1 serve']);
});

test('a search says of its first hit who calls it, and so does reading a definition', async () => {
  await project.graph.references('brew');
  const { digest } = await run(searchOperation, { query: 'brew' });
  expect(digest?.lead?.facts).toBe('called by serve src/shop.ts:4; calls pour; tested in test/tea.test.ts');
  const { facts } = await run(readOperation, { places: ['src/tea.ts#pour'] });
  expect(facts).toBe('called by brew src/tea.ts:2');
  expect((await run(readOperation, { places: ['src/tea.ts#pour'], numbers: false })).facts).toBeUndefined();
});

test('related gives callers, callees, tests and files of a place', async () => {
  const { definitions, callers, callees, tests, imported_by } = await run(relatedOperation, {
    place: 'src/tea.ts:2',
  });
  expect(definitions[0]?.name).toBe('brew');
  expect(callers.map(({ path }) => path)).toEqual(['src/shop.ts']);
  expect(callees.map(({ name }) => name)).toEqual(['pour']);
  expect([tests, imported_by]).toEqual([['test/tea.test.ts'], ['src/shop.ts', 'test/tea.test.ts']]);
});
