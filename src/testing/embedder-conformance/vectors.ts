import assert from 'node:assert/strict';
import {
  assertGood,
  assertSame,
  cosine,
  embedChunk,
  embedChunks,
  embedderChecks,
  roles,
} from './embedder-check.ts';

const texts = [
  'The store replaces a document and all its chunks in one step.',
  'export function putDocument(document: DocumentRecord): Promise<void>',
  'A recipe for lentil soup with cumin and lemon',
  'Wie wird das Wetter morgen in Zürich?',
  'x',
];

/** Checks of what a vector is. */
export const vectorChecks = embedderChecks({
  'gives one finite vector of unit length for each text, in either role': async (embedder) => {
    for (const as of roles) assertGood(await embedder.embed(texts, { as }), texts.length, embedder);
  },
  'gives the tokens of each text vectors of unit length too, where it gives them any': async (embedder) => {
    for (const as of roles) {
      const rows = await embedder.tokenVectors?.([...texts, ''], { as });
      if (!rows) return;
      const columns = embedder.dimensions ?? 0;
      assert.equal(rows.length, texts.length + 1, 'there are rows for each text');
      assert.equal(rows.at(-1)?.length, 0, 'a text without a token has none');
      for (const row of rows.slice(0, -1)) {
        assert.ok(row.length > 0 && row.length % columns === 0, 'a text has whole rows');
        const vectors = Array.from({ length: row.length / columns }, (_, at) =>
          row.slice(at * columns, (at + 1) * columns),
        );
        assertGood(vectors, vectors.length, embedder);
      }
    }
  },
  'keeps the order of the texts': async (embedder) => {
    const together = await embedChunks(embedder, texts);
    for (const [at, text] of texts.entries()) {
      assertSame(together[at], await embedChunk(embedder, text), `"${text}" has its own vector at its place`);
    }
  },
  'gives equal texts equal vectors, in one call and in several': async (embedder) => {
    const [first, , second] = await embedChunks(embedder, ['same words', 'other words', 'same words']);
    assert.deepEqual(second, first);
    const alone = await embedChunk(embedder, 'same words');
    assert.deepEqual(await embedChunk(embedder, 'same words'), alone);
    assertSame(alone, first, 'the vector is the same in another call');
  },
  'gives a text the same vector with any other texts in the call': async (embedder) => {
    const alone = await embedChunk(embedder, texts[0] ?? '');
    const [together] = await embedChunks(embedder, texts);
    const [besideLong] = await embedChunks(embedder, [texts[0] ?? '', 'many other words '.repeat(400), '']);
    assertSame(together, alone, 'short neighbours change nothing');
    assertSame(besideLong, alone, 'a long neighbour changes nothing');
  },
  'puts a text nearer to one that shares its words than to one that does not': async (embedder) => {
    const [question, near, far] = await embedChunks(embedder, [
      'replace a document in the store',
      'the store can replace a document',
      'lentil soup with cumin',
    ]);
    assert.ok(question && near && far);
    assert.ok(cosine(question, near) > cosine(question, far));
  },
  'gives no vector for no text, in either role': async (embedder) => {
    for (const as of roles) assert.deepEqual(await embedder.embed([], { as }), []);
  },
});
