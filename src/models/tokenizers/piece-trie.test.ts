import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPieceTrie, maxWordLength } from './piece-trie.ts';

const unknown = 0;

function piecesOf(vocabulary: readonly string[], word: string): string[] {
  const ids = Object.fromEntries(vocabulary.map((piece, index) => [piece, index + 1]));
  const found: number[] = [];
  createPieceTrie(ids, unknown).append(`x${word}x`, 1, word.length + 1, found);
  return found.map((id) => vocabulary[id - 1] ?? '?');
}

test('takes the longest piece each time, whatever the case', () => {
  expect(piecesOf(['un', 'unit', '##s', '##its', '##it'], 'Units')).toEqual(['unit', '##s']);
});

test('gives one unknown token for a word with an unknown part, and for one that is too long', () => {
  expect(piecesOf(['un', '##it'], 'unitz')).toEqual(['?']);
  expect(piecesOf(['a', '##a'], 'a'.repeat(maxWordLength))).toHaveLength(maxWordLength);
  expect(piecesOf(['a', '##a'], 'a'.repeat(maxWordLength + 1))).toEqual(['?']);
});

test('keeps whole words and continuations apart, and leaves what was appended before', () => {
  const ids = [7];
  createPieceTrie({ '##ab': 1 }, unknown).append('ab', 0, 2, ids);
  expect(ids).toEqual([7, unknown]);
});

test('finds every piece of any vocabulary', () => {
  const piece = fc.string({ unit: fc.constantFrom(...'abc01#'), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.uniqueArray(piece, { minLength: 1, maxLength: 40 }), (vocabulary) => {
      const words = vocabulary.filter((word) => !word.startsWith('##'));
      for (const word of words) expect(piecesOf(vocabulary, word)).toEqual([word]);
    }),
  );
});
