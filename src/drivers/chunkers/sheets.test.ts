import { expect, test } from 'vitest';
import { documentAt, sizeLimits } from './sections.fixture.ts';
import { createSheetsChunker } from './sheets.ts';

const chunker = createSheetsChunker();

test('cuts between rows, with the names of sheet and columns as the context of each chunk', async () => {
  const text = '# Costs\nYear 2026\nItem | Price\ntea | 3\nmilk | 2\nsugar | 1\n\f\n# Other (hidden)\n1 | 2';
  const { drafts } = await chunker.chunk(documentAt('a.xlsx', text), sizeLimits(1, 8, 10));
  expect(drafts.map(({ start, end, header, section }) => [text.slice(start, end), header, section])).toEqual([
    ['# Costs\nYear 2026\nItem | Price', 'Costs. Columns: Item, Price', 'Costs'],
    ['tea | 3\nmilk | 2\nsugar | 1', 'Costs. Columns: Item, Price', 'Costs'],
    ['# Other (hidden)\n1 | 2', 'Other (hidden)', 'Other (hidden)'],
  ]);
});

test('takes no row of data and no title for the names of columns', async () => {
  const header = async (text: string) =>
    (await chunker.chunk(documentAt('a.xlsx', text), sizeLimits(1, 50, 80))).drafts[0]?.header;
  expect(await header('# S\n2026 | 3')).toBe('S');
  expect(await header('# S\nAll our costs\na | b | c\nName | Street | Town\n1 | 2 | 3')).toBe(
    'S. Columns: a, b, c',
  );
  expect(
    await header('# S\na | remark |  |  | here\nName | Age | Street | Town | Land\nx | y | z | a | b'),
  ).toBe('S. Columns: Name, Age, Street, Town, Land');
  expect(await header('# S\nAll | \na | b | c | d | e\n1 | 2 | 3 | 4 | 5')).toBe('S. Columns: a, b, c, d, e');
});

test('cuts a row that is too long by itself, and loses nothing', async () => {
  const text = `# S\n${Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ')}`;
  const { drafts } = await chunker.chunk(documentAt('a.xlsx', text), sizeLimits(1, 8, 10));
  expect(drafts.length).toBeGreaterThan(5);
  expect(drafts.map(({ start, end }) => text.slice(start, end)).join(' ')).toContain('word99');
});
