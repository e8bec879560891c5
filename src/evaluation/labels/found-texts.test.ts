import { beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../contracts/store.ts';
import { openMockStore } from '../../drivers/stores/mock.ts';
import { chunkEntries, documentRecord } from '../../testing/documents.ts';
import { chunkLinesOf, foundTexts } from './found-texts.ts';
import type { ResolvedLabel } from './judgement.ts';

let store: Store;
beforeEach(async () => {
  store = openMockStore();
  const copy = documentRecord('copy.md');
  // The same three words, once with a blank line between each: five lines from line 3 on.
  await store.put(copy, chunkEntries(copy, ['above\n', 'one\n\ntwo\n\nthree', 'below']));
});

const [entry] = chunkEntries(documentRecord('hit.md'), ['one\ntwo\nthree']);
const chunk = entry?.chunk;
const hit = (uri: string, ...alsoAt: { uri: string; firstLine: number }[]) => {
  if (!chunk) throw new TypeError('no chunk');
  return { chunk, document: documentRecord(uri), ...(alsoAt.length > 0 && { alsoAt }) };
};
const label = (uri: string, lines?: [number, number]): ResolvedLabel => ({
  path: uri,
  uris: new Set([uri]),
  grade: 1,
  ...(lines && { lines }),
});
const placesOf = async (
  hits: ReturnType<typeof hit>[],
  labels: ResolvedLabel[] = [],
  isIgnored?: (uri: string) => boolean,
) => {
  const linesOf = chunkLinesOf({ store: async () => store });
  const found = await foundTexts(hits, labels, isIgnored ? { isIgnored } : {}, linesOf);
  return found.map(({ places }) => places);
};

describe('a text that was found', () => {
  test('stands at its own place and at those of its copies, in their order', async () => {
    const found = await placesOf([
      hit('hit.md', { uri: 'b.md', firstLine: 7 }, { uri: 'a.md', firstLine: 1 }),
    ]);
    expect(found).toEqual([
      [
        { uri: 'hit.md', lines: [1, 3] },
        { uri: 'b.md', lines: [7, 9] },
        { uri: 'a.md', lines: [1, 3] },
      ],
    ]);
  });

  test('ends in a copy where the chunk there ends, where lines are judged', async () => {
    const labels = [label('copy.md', [7, 7])];
    expect(await placesOf([hit('hit.md', { uri: 'copy.md', firstLine: 3 })], labels)).toEqual([
      [
        { uri: 'hit.md', lines: [1, 3] },
        { uri: 'copy.md', lines: [3, 7] },
      ],
    ]);
  });

  test('is taken to be as long as the hit where the index has changed since', async () => {
    const labels = [label('copy.md', [7, 7])];
    const [places] = await placesOf([hit('hit.md', { uri: 'copy.md', firstLine: 2 })], labels);
    expect(places?.[1]).toEqual({ uri: 'copy.md', lines: [2, 4] });
  });

  test('in a document that is not judged counts by its copies alone, and not at all without any', async () => {
    const isIgnored = (uri: string) => uri === 'questions.jsonl';
    const found = await placesOf(
      [
        hit('questions.jsonl'),
        hit('questions.jsonl', { uri: 'a.md', firstLine: 5 }),
        hit('b.md', { uri: 'questions.jsonl', firstLine: 1 }),
      ],
      [],
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
