import { expect, test } from 'vitest';
import { withoutBareHeader } from './bare-header.ts';

const path = ['search', 'top_k'];
/** What is left of a text whose marked line is taken out. */
const left = (text: string): string => withoutBareHeader(text, text.replace(/top_k = 5\r?\n?/, ''), path);

test('the header of a table goes with its last key, and the blank lines between it and what follows', () => {
  expect(left('[search]\ntop_k = 5\n')).toBe('');
  expect(left('a = 1\n\n[search]\ntop_k = 5\n')).toBe('a = 1\n');
  expect(left('a = 1\n\n[search]\ntop_k = 5\n\n[index]\nb = 2\n')).toBe('a = 1\n\n[index]\nb = 2\n');
  expect(left('a = 1\r\n\r\n[search]\r\ntop_k = 5\r\n')).toBe('a = 1\r\n');
  expect(left('\ufeff[search]\ntop_k = 5\n')).toBe('\ufeff');
});

test('the header stays where another key or a comment needs it', () => {
  for (const text of [
    '[search]\ntop_k = 5\nthreshold = 0.1\n',
    '[search] # what is found\ntop_k = 5\n',
    '# What is found.\n[search]\ntop_k = 5\n',
    '[search]\n# More than these nobody reads.\ntop_k = 5\n',
    '[search]\ntop_k = 5\n# threshold = 0.1\n\n[index]\nb = 2\n',
    '[search]\ntop_k = 5\n\n# threshold = 0.1\n',
    '[[search]]\ntop_k = 5\n',
  ])
    expect(left(text)).toBe(text.replace('top_k = 5\n', ''));
});

test('a comment above the next header stays with that', () => {
  expect(left('[search]\ntop_k = 5\n\n# What is read.\n[index]\nb = 2\n')).toBe(
    '# What is read.\n[index]\nb = 2\n',
  );
});

test('a header that was empty before is left as its user wrote it, and so are those of other tables', () => {
  const text = '[reranker]\n\n[search]\n';
  expect(withoutBareHeader(text, text, path)).toBe(text);
  expect(left('[reranker]\n\n[search]\ntop_k = 5\n')).toBe('[reranker]\n');
});

test('of a dotted key it is the header that the key stood below', () => {
  const text = '[store]\nchroma.url = "x"\n';
  expect(withoutBareHeader(text, '[store]\n', ['store', 'chroma', 'url'])).toBe('');
});
