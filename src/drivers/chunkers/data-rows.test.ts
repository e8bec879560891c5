import { expect, test } from 'vitest';
import { createRowsChunker } from './data-rows.ts';
import { cutUp, documentAt, expectFaithful, sizeLimits, textFrom } from './sections.fixture.ts';

const chunker = createRowsChunker();

test('takes the sign between cells from a first line that names it', async () => {
  const { drafts } = await chunker.chunk(
    documentAt('a.csv', 'sep=|\r\nTea, brewed|Degrees\r\ngreen|80'),
    sizeLimits(1, 50, 80),
  );
  expect(drafts.map(({ header }) => header)).toEqual(['Columns: Tea, brewed, Degrees']);
});

test('cuts between rows and repeats the names of the columns as context', async () => {
  const rows = ['name,city', 'Ann Smith,Oslo', 'Bo Jones,"Rome,\nItaly"', 'Cy Young,Cairo'];
  const text = rows.join('\r\n');
  const { drafts } = await chunker.chunk(documentAt('a.csv', text), sizeLimits(1, 6, 8));
  expect(drafts.map(({ start, end, section, header }) => [section, text.slice(start, end), header])).toEqual([
    ['rows 1-2', 'name,city\r\nAnn Smith,Oslo', 'Columns: name, city'],
    ['row 3', 'Bo Jones,"Rome,\nItaly"', 'Columns: name, city'],
    ['row 4', 'Cy Young,Cairo', 'Columns: name, city'],
  ]);
});

test('takes a first row with numbers as data', async () => {
  const { drafts } = await chunker.chunk(documentAt('a.csv', '1;2\n3;4'), sizeLimits(1, 6, 8));
  expect(drafts[0]?.header).toBe('');
});

test('takes a quote inside a cell as a character', async () => {
  const text = 'size,note\n5" disk,old\n3" disk,newer';
  expect(await cutUp(chunker, documentAt('a.csv', text), sizeLimits(1, 50, 80))).toEqual([
    ['rows 1-3', text],
  ]);
});

test('cuts by lines and says so when a quoted cell has no end', async () => {
  const { drafts, degraded } = await chunker.chunk(
    documentAt('a.csv', 'a,b\n"open,1\n2,3'),
    sizeLimits(1, 50, 80),
  );
  expect(drafts).toHaveLength(1);
  expect(degraded).toBe('a quoted cell without end: cut by lines');
});

test('holds any text whole, in order and within the maximum', async () => {
  await expectFaithful(
    chunker,
    'a.tsv',
    textFrom(['a\tb', '1\t"x', 'y"\t2', '"q ""r"" s"\t', 'word '.repeat(60)]),
  );
});
