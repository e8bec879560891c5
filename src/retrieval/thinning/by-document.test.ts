import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Hit } from '../../core/hit.ts';
import { chunkEntries, documentRecord } from '../../testing/documents.ts';
import { byDocument, chunksOf } from './by-document.ts';
import { spread } from './spread.ts';

/** Hits of these documents in this order, numbered by their rank. */
function ranked(documents: readonly string[]): Hit[] {
  return documents.map((name, rank) => {
    const document = documentRecord(`${name}.md`);
    const [entry] = chunkEntries(document, [`${name} ${rank}`]);
    if (!entry) throw new Error('A text gives a chunk.');
    return { chunk: entry.chunk, document, relevance: 1 / (rank + 1), score: 1 / (rank + 1), trace: [] };
  });
}

const textsOf = ({ chunk, more = [] }: Hit) => [chunk.text, ...more.map((hit) => hit.chunk.text)];

describe('one hit a document', () => {
  test('stands at the rank of the best chunk, with further ones up to a number', () => {
    const hits = byDocument(ranked(['a', 'a', 'b', 'a', 'a', 'c', 'b']), { topK: 2, perDocument: 3 });
    expect(hits.map(textsOf)).toEqual([
      ['a 0', 'a 1', 'a 3'],
      ['b 2', 'b 6'],
    ]);
  });

  test('has no further chunks where one is allowed', () => {
    const hits = byDocument(ranked(['a', 'a', 'b']), { topK: 2, perDocument: 1 });
    expect(hits.map(textsOf)).toEqual([['a 0'], ['b 2']]);
    expect(hits[0]).not.toHaveProperty('more');
  });

  test('leaves the rest of a document as hits of their own where documents are few', () => {
    const hits = byDocument(ranked(['a', 'a', 'a', 'b', 'a']), { topK: 5, perDocument: 2 });
    expect(hits.map(textsOf)).toEqual([['a 0', 'a 1'], ['a 2'], ['b 3'], ['a 4']]);
  });

  test('does not name a chunk that is far behind the others', () => {
    const others = Array.from({ length: 20 }, (_, number) => `other-${number}`);
    const [first] = byDocument(ranked(['a', ...others, 'a']), { topK: 5, perDocument: 3 });
    expect(first).not.toHaveProperty('more');
  });
});

test('each message of a mailbox is a hit', () => {
  const at = (message: number) => ({ message, subject: '', date: '2026-01-01' });
  const [first, second, third] = ranked(['a', 'a', 'a']);
  const within = (hit: Hit | undefined, message: number): Hit[] =>
    hit
      ? [
          {
            ...hit,
            chunk: { ...hit.chunk, place: { kind: 'messages', first: at(message), last: at(message) } },
          },
        ]
      : [];
  const list = [...within(first, 1), ...within(second, 2), ...within(third, 1)];
  expect(byDocument(list, { topK: 5, perDocument: 3 }).map(textsOf)).toEqual([['a 0', 'a 2'], ['a 1']]);
});

const lists = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 60 }).map(ranked);
const count = fc.integer({ min: 1, max: 30 });

test('keeps the order, no chunk twice, and each that would be a hit by itself', () => {
  fc.assert(
    fc.property(lists, count, fc.integer({ min: 1, max: 4 }), (list, topK, perDocument) => {
      const hits = byDocument(list, { topK, perDocument });
      const chunks = chunksOf(hits, list);
      const shown = hits.flatMap(textsOf);
      expect(new Set(shown).size).toBe(shown.length);
      expect(chunks.map(({ chunk }) => chunk.text).sort()).toEqual([...shown].sort());
      expect(chunks).toEqual(list.filter((hit) => chunks.includes(hit)));
      expect(hits.map(({ chunk }) => chunk)).toEqual(
        list.map(({ chunk }) => chunk).filter((chunk) => hits.some((hit) => hit.chunk === chunk)),
      );
      const alone = spread(list.map((hit) => ({ ...hit, match: hit })) as never, perDocument).slice(0, topK);
      expect(shown).toEqual(expect.arrayContaining(alone.map(({ match }) => match.chunk.text)));
      expect(hits.length).toBeLessThanOrEqual(topK);
      for (const hit of hits) expect(textsOf(hit).length).toBeLessThanOrEqual(perDocument);
    }),
  );
});
