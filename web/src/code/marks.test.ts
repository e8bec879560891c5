import { expect, test } from 'vitest';
import { marksFor, piecesOf } from './marks.ts';

const marked = (query: string, text: string, route = '') =>
  piecesOf(text, marksFor(query, route)).flatMap((piece) => (piece.isMarked ? [piece.text] : []));

test.each([
  ['we lock', 'Weber has a block, and we lock it.', ['we', 'lock']],
  ['lock', 'locked locks unlock Locksmith', ['lock', 'lock']],
  ['lock', 'takeLock(LOCK_FILE, file_lock)', ['Lock', 'LOCK', 'lock']],
  ['boat', 'boats, Boot und Boat', ['boat', 'Boat']],
  ['größe', 'Die Größe der Größen', ['Größe', 'Größe']],
])('of "%s" in "%s" words are marked, and no parts of others', (query, text, expected) => {
  expect(marked(query, text)).toEqual(expected);
});

test('a literal text is marked wherever it stands', () => {
  expect(marked('lock', 'a block', 'exact')).toEqual(['lock']);
});

test('the pieces are the whole text', () => {
  const text = 'Weber locks the block.';
  expect(
    piecesOf(text, marksFor('lock we', ''))
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
});
