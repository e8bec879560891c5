import { expect } from 'vitest';
import type { Store } from '../../contracts/store.ts';
import { chunksOf } from '../../index/chunks-of.ts';
import { putDocument } from '../../index/write.ts';
import { countsOf } from '../../testing/counts-of.ts';
import { chunkEntries, documentRecord, unitVector } from '../../testing/documents.ts';

const space = 'space/1';

/** Puts a document of these texts with their vectors. */
export function putWithVectors(store: Store, uri: string, texts: readonly string[], dimensions = 8) {
  const document = documentRecord(uri);
  const entries = chunkEntries(document, texts);
  const vectors = entries.map(({ chunk, embeddingKey }) => ({
    embeddingKey,
    vector: unitVector(chunk.text, dimensions),
  }));
  return putDocument(store, { document, chunks: entries, vectors: new Map([[space, vectors]]) });
}

/** What a store whose commits hold several documents promises beyond the contract. */
export async function checkManyPuts(open: () => Promise<Store> | Store): Promise<void> {
  const store = await open();
  const textsOf = async (uri: string) =>
    (await chunksOf(store, documentRecord(uri).id)).map(({ text }) => text);
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  // A new space, which the first one makes; one that does not fit it; and documents that are replaced at once.
  for (const word of ['old', 'new']) {
    const outcomes = await Promise.allSettled([
      ...numbers.map((number) => putWithVectors(store, `f${number}.md`, [`${word} ${number}`, 'shared'])),
      putWithVectors(store, 'bad.md', ['bad'], 5),
      putWithVectors(store, 'twice.md', [`${word} first`, 'and more']),
      putWithVectors(store, 'other.md', ['other']),
      putWithVectors(store, 'twice.md', [`${word} last`]),
    ]);
    expect(outcomes.flatMap((outcome, place) => (outcome.status === 'rejected' ? [place] : []))).toEqual([
      20,
    ]);
  }
  const { documents, chunks, embedded } = await countsOf(store, space);
  expect([documents, chunks, embedded]).toEqual([22, 42, 42]);
  expect([await textsOf('f7.md'), await textsOf('twice.md')]).toEqual([['new 7', 'shared'], ['new last']]);

  // What is told to be stored when the store is closed is stored, and nothing else.
  const puts = numbers.map((number) => putWithVectors(store, `late${number}.md`, ['late']));
  const [outcomes] = await Promise.all([Promise.allSettled(puts), store.close()]);
  const again = await open();
  const late = (await again.paths()).filter((uri) => uri.startsWith('late'));
  const stored = outcomes.flatMap((outcome, place) =>
    outcome.status === 'fulfilled' ? [`late${place}.md`] : [],
  );
  expect(late).toEqual(stored.sort());
  await again.close();
}
