import { expect, test } from 'vitest';
import { numberedByUse } from './numbered-by-use.ts';

test('sources have the numbers in which an answer names them, and those that it does not name come after', () => {
  const answer = {
    sentences: [
      { text: 'It is lit at dusk.', cited: [4], supported_by: [4, 1] },
      { text: 'By whoever leaves.', cited: [], supported_by: [2, 3, 4] },
    ],
    sources: [1, 2, 3, 4].map((number) => ({ number, path: `${number}.md` })),
  };
  expect(numberedByUse(answer)).toEqual({
    sentences: [
      { text: 'It is lit at dusk.', cited: [1], supported_by: [1, 4] },
      { text: 'By whoever leaves.', cited: [], supported_by: [2, 3, 1] },
    ],
    sources: ['4.md', '2.md', '3.md', '1.md'].map((path, index) => ({ number: index + 1, path })),
  });
});
