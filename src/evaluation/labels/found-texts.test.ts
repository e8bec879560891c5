import { beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../contracts/store.ts';
import type { TextPlace } from '../../core/hit.ts';
import type { Place } from '../../core/place.ts';
import { openMemoryStore } from '../../drivers/stores/memory/store.ts';
import { putDocument } from '../../index/write.ts';
import { chunkEntries, documentRecord } from '../../testing/documents.ts';
import { chunkLinesOf, foundTexts } from './found-texts.ts';

let store: Store;
beforeEach(async () => {
  store = openMemoryStore();
  const copy = documentRecord('copy.md');
  // The same three words, once with a blank line between each: five lines from line 3 on.
  await putDocument(store, {
    document: copy,
    chunks: chunkEntries(copy, ['above\n', 'one\n\ntwo\n\nthree', 'below']),
  });
});

const linesAt = (first: number, last: number): Place => ({ kind: 'lines', first, last });
const hit = (uri: string, place: Place, ...alsoAt: TextPlace[]) => {
  const document = documentRecord(uri);
  const [entry] = chunkEntries(document, ['one\ntwo\nthree'], { place });
  if (!entry) throw new TypeError('no chunk');
  return { chunk: entry.chunk, document, ...(alsoAt.length > 0 && { alsoAt }) };
};
const placesOf = (hits: ReturnType<typeof hit>[], isIgnored?: (uri: string) => boolean) =>
  foundTexts(hits, isIgnored ? { isIgnored } : {}).map(({ places }) => places);

describe('a text that was found', () => {
  test('stands at its own place and at those of its copies, in their order', () => {
    const copies = [
      { uri: 'b.md', place: linesAt(7, 11) },
      { uri: 'a.md', place: linesAt(1, 3) },
    ];
    expect(placesOf([hit('hit.md', linesAt(1, 3), ...copies)])).toEqual([
      [
        { uri: 'hit.md', lines: [1, 3] },
        { uri: 'b.md', lines: [7, 11] },
        { uri: 'a.md', lines: [1, 3] },
      ],
    ]);
  });

  test('has no lines where its file has none', () => {
    expect(placesOf([hit('a.pdf', { kind: 'pages', first: 3, last: 3 })])).toEqual([[{ uri: 'a.pdf' }]]);
  });

  test('in a document that is not judged counts by its copies alone, and not at all without any', () => {
    const isIgnored = (uri: string) => uri === 'questions.jsonl';
    const own = linesAt(1, 3);
    const found = placesOf(
      [
        hit('questions.jsonl', own),
        hit('questions.jsonl', own, { uri: 'a.md', place: linesAt(5, 7) }),
        hit('b.md', own, { uri: 'questions.jsonl', place: own }),
      ],
      isIgnored,
    );
    expect(found).toEqual([[{ uri: 'a.md', lines: [5, 7] }], [{ uri: 'b.md', lines: [1, 3] }]]);
  });
});

test('chunks of a document are read once, and none of one that is not there', async () => {
  let opened = 0;
  const linesOf = chunkLinesOf({
    store: async () => {
      opened += 1;
      return store;
    },
  });
  const expected = [
    [1, 2],
    [3, 7],
    [8, 8],
  ];
  expect(await linesOf('copy.md')).toEqual(expected);
  expect(await linesOf('copy.md')).toEqual(expected);
  expect(opened).toBe(1);
  expect(await linesOf('nowhere.md')).toEqual([]);
});
