import { expect, test } from 'vitest';
import { keptOutput } from '../terminal/kept-output.fixture.ts';
import { renderOutline, renderReferences, renderRelated } from './code-graph.ts';

const nothing = {
  definitions: [],
  callers: [],
  callees: [],
  tests: [],
  imports: [],
  imported_by: [],
  links: [],
  linked_by: [],
  missing_links: [],
  warnings: [],
};

test('a note without links is said to have none', () => {
  const { output, notes, results } = keptOutput();
  renderRelated(nothing, output);
  expect([results, notes]).toEqual([[], ['Nothing of the project is linked with it.']]);
  renderRelated({ ...nothing, links: ['b.md'] }, output);
  expect([results, notes.length]).toEqual([['links to', '  b.md'], 1]);
});

test('a folder is a line for each file, with what it defines, members behind a dot', () => {
  const { output, results } = keptOutput();
  const entry = (depth: number, kind: string, name: string, citation: string) => ({
    depth,
    kind,
    name,
    citation,
    signature: name,
  });
  const entries = [
    entry(0, 'file', 'src/a.ts', 'src/a.ts'),
    entry(1, 'class', 'Store', 'src/a.ts:1-9'),
    entry(2, 'method', 'put', 'src/a.ts:2-4'),
    entry(0, 'file', 'src/b.md', 'src/b.md'),
  ];
  renderOutline({ path: 'src', entries, warnings: [] }, output);
  expect(results).toEqual(['src/a.ts: Store 1-9, .put 2-4', 'src/b.md']);
});

test('a file is named once above what it has, each behind the lines that read takes after its path', () => {
  const { output, results } = keptOutput();
  const entry = (depth: number, signature: string, citation: string) => ({
    depth,
    kind: 'class',
    name: 'a',
    citation,
    signature,
  });
  const entries = [
    entry(0, 'export class Store', 'src/a.ts:1-9'),
    entry(1, `put(${'x'.repeat(200)})`, 'src/a.ts:2'),
  ];
  renderOutline({ path: 'src/a.ts', entries, warnings: [] }, output);
  expect(results).toEqual(['src/a.ts', '1-9 export class Store', `2   put(${'x'.repeat(116)}…`]);
});

test('further mentions in one file begin with their line alone', () => {
  const { output, results } = keptOutput();
  const mention = (path: string, line: number) =>
    ({ path, line, column: 1, kind: 'call', within: '', certainty: 'certain', text: 'put();' }) as const;
  const mentions = [mention('src/a.ts', 3), mention('src/a.ts', 9), mention('src/b.ts', 1)];
  renderReferences({ definitions: [], mentions, certain: 3, possible: 0, warnings: [] }, output);
  expect(results).toEqual(['  src/a.ts:3  put();', '  :9  put();', '  src/b.ts:1  put();']);
});
