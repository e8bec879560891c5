import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfPieces, createPieceTrie, maxWordLength, packPieces, unpackPieces } from './piece-trie.ts';

const unknown = 0;
const trieOf = (vocabulary: Readonly<Record<string, number>>) => createPieceTrie(packPieces(vocabulary));

function piecesOf(vocabulary: readonly string[], word: string): string[] {
  const ids = Object.fromEntries(vocabulary.map((piece, index) => [piece, index + 1]));
  const found: number[] = [];
  trieOf(ids).append(`x${word}x`, 1, word.length + 1, found);
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
  trieOf({ '##ab': 1 }).append('ab', 0, 2, ids);
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

test('knows the number of any piece, and of nothing else, after it was written down and read', () => {
  const pieces = fc.uniqueArray(
    fc.string({ unit: fc.constantFrom(...'aB#é京[]'), minLength: 1, maxLength: 5 }),
    {
      minLength: 1,
      maxLength: 40,
    },
  );
  fc.assert(
    fc.property(pieces, pieces, fc.nat({ max: 3 }), (vocabulary, others, offset) => {
      const packed = packPieces(Object.fromEntries(vocabulary.map((piece, id) => [piece, id])));
      const bytes = bytesOfPieces(packed);
      // As a part of a larger piece of memory, wherever it begins.
      const moved = new Uint8Array(bytes.length + offset);
      moved.set(bytes, offset);
      const { idOf } = createPieceTrie(unpackPieces(moved.subarray(offset)));
      for (const [id, piece] of vocabulary.entries()) expect(idOf(piece)).toBe(id);
      for (const piece of others) if (!vocabulary.includes(piece)) expect(idOf(piece)).toBeUndefined();
      expect(idOf('')).toBeUndefined();
    }),
  );
});
