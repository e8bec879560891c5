import { expect, test } from 'vitest';
import { wordsOfText, writeWordBox } from './word-box.ts';

const word = (start: number, end: number, left: number, page = 1) =>
  writeWordBox({ start, end, page, left, top: 10, width: 50, height: 20 });

test('says where the words of chunks stand in the text that is made of them, a shared one once', () => {
  const chunks = [
    { text: 'the old harbour', metadata: { boxes: [word(0, 3, 0), word(4, 7, 60), word(8, 15, 120)] } },
    {
      text: 'harbour the wall',
      metadata: { boxes: [word(0, 7, 120), word(8, 11, 300), word(12, 16, 400, 2)] },
    },
  ];
  const text = 'the old harbour the wall';
  const found = wordsOfText(text, chunks);
  expect(found.map(({ start, end, left, page }) => [text.slice(start, end), start, left, page])).toEqual([
    ['the', 0, 0, 1],
    ['old', 4, 60, 1],
    ['harbour', 8, 120, 1],
    ['the', 16, 300, 1],
    ['wall', 20, 400, 2],
  ]);
  expect(wordsOfText('the old', chunks)).toHaveLength(2);
});
