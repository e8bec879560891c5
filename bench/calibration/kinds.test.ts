import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { askKinds, kindsReport } from './kinds.ts';
import { type CorpusFile, queriesByRule } from './kinds-queries.ts';

const files: CorpusFile[] = [
  {
    path: 'pool.ts',
    content:
      "export function acquireConnection() {\n  throw new Error('the pool was closed before a connection came');\n}\n",
    type: 'code',
  },
  { path: 'guide.md', content: 'The dispatcher forwards telegrams to the harbour office.\n', type: 'docs' },
];

test('queries by rule are words, names and texts that a file has, and each can be judged by what chunks hold', () => {
  const queries = queriesByRule(files);
  const texts = (kind: string) => queries.filter((one) => one.kind === kind).map(({ text }) => text);
  expect(texts('name')).toContain('acquireConnection');
  expect(texts('quoted error')).toEqual(['Error: the pool was closed before a connection came']);
  expect(texts('copied text')).toContain('The dispatcher forwards telegrams to the harbour office.');
  expect(queries.every(({ words = [] }) => words.length > 0)).toBe(true);
  expect(queriesByRule(files)).toEqual(queries);
});

test('the report has a line for each kind of query, kind of file and size of corpus', async () => {
  const folder = await temporaryFolder(Object.fromEntries(files.map(({ path, content }) => [path, content])));
  const asked = [];
  const options = {
    settings: { 'embedder.driver': 'hashing' },
    cacheFolder: await temporaryFolder(),
    textOnly: true,
    sizes: [1, 2],
    corpora: 2,
  };
  for await (const one of askKinds([folder], options)) asked.push(one);
  const report = kindsReport(asked);
  for (const line of ['| name |', '| words nobody knows |', '| code |', '| docs |', '| 1 |', '| 2 |'])
    expect(report).toContain(line);
  const name = asked.find(({ kind, size }) => kind === 'name' && size === 2);
  expect(name?.hits[0]?.isRight).toBe(true);
}, 60_000);
