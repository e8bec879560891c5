import { expect, test } from 'vitest';
import { createPagesChunker } from './pages.ts';
import { cutUp, documentAt, expectFaithful, sizeLimits, textFrom } from './sections.fixture.ts';

const chunker = createPagesChunker();

test('gives each page its own chunk with its number and the title as context', async () => {
  const text = 'First page with words.\n\f\n\n\f\nThird page, also with words.';
  const { drafts } = await chunker.chunk(documentAt('a.pdf', text, 'Report'), sizeLimits(2, 10, 20));
  expect(drafts).toEqual([
    { start: 0, end: 22, header: 'Report', section: 'page 1', metadata: { page: 1 } },
    { start: 28, end: text.length, header: 'Report', section: 'page 3', metadata: { page: 3 } },
  ]);
});

test('joins pages below the minimum and cuts long ones between paragraphs', async () => {
  const long = `${'alpha '.repeat(6).trim()}.\n\n${'omega '.repeat(6).trim()}.`;
  const chunks = await cutUp(
    chunker,
    documentAt('a.pdf', `One.\n\f\nTwo.\n\f\n${long}`),
    sizeLimits(4, 8, 12),
  );
  expect(chunks).toEqual([
    ['pages 1-2', 'One.\n\f\nTwo.'],
    ['page 3', 'alpha alpha alpha alpha alpha alpha.'],
    ['page 3', 'omega omega omega omega omega omega.'],
  ]);
});

test('gives no chunk for an empty text', async () => {
  expect(await cutUp(chunker, documentAt('a.pdf', ''), sizeLimits(4, 8, 12))).toEqual([]);
});

test('holds any text whole, in order and within the maximum', async () => {
  await expectFaithful(chunker, 'a.pdf', textFrom(['\f', 'A sentence. Another one.', 'word '.repeat(40)]));
});
