import assert from 'node:assert/strict';
import { cosine, type EmbedderCheck, embedChunk, embedderChecks, withEmbedder } from './embedder-check.ts';

/** Checks of an embedder's description of itself. */
export const descriptionChecks: readonly EmbedderCheck[] = [
  {
    promise: 'names its vector space the same at every opening, before and after its first call',
    opensItsOwn: true,
    async check(open) {
      const [one, other] = [await open(), await open()];
      const { fingerprint } = one;
      assert.ok(fingerprint.length > 0 && fingerprint.trim() === fingerprint);
      assert.equal(other.fingerprint, fingerprint);
      const vector = await embedChunk(one, 'the same text');
      assert.equal(one.fingerprint, fingerprint);
      assert.ok(cosine(vector, await embedChunk(other, 'the same text')) > 1 - 1e-3);
      await Promise.all([one.close(), other.close()]);
    },
  },
  {
    promise: 'knows the length of its vectors after its first call, and keeps it',
    opensItsOwn: true,
    check: withEmbedder(async (embedder) => {
      const before = embedder.dimensions;
      const vector = await embedChunk(embedder, 'first');
      assert.equal(embedder.dimensions, vector.length);
      assert.ok(
        before === undefined || before === vector.length,
        'a length stated beforehand is the right one',
      );
      await embedder.embed(['second', 'third'], { as: 'query' });
      assert.equal(embedder.dimensions, vector.length);
    }),
  },
  ...embedderChecks({
    'states limits that a caller can keep to': async (embedder) => {
      await embedder.load?.();
      const { limits, maxTokens } = embedder;
      assertCount(maxTokens, 'maxTokens');
      assertCount(limits.batchTexts, 'batchTexts');
      assertCount(limits.concurrency, 'concurrency');
      for (const name of ['batchTokens', 'batchBytes', 'callsPerMinute'] as const) {
        const limit = limits[name];
        if (limit !== undefined) assertCount(limit, name);
      }
      assert.ok((limits.batchTokens ?? maxTokens) >= maxTokens, 'one text of full length fits a call');
      assert.equal(typeof limits.gainsFromSize, 'boolean');
    },
    'states facts in words, without secrets': async (embedder) => {
      for (const [name, value] of Object.entries(embedder.facts)) {
        assert.equal(typeof value, 'string');
        assert.ok(name.length > 0 && value.length < 500);
        assert.doesNotMatch(value, /\b(sk-|AIza|hf_|Bearer )/);
      }
    },
    'counts no tokens in an empty text, and more in a longer one': async (embedder) => {
      assert.equal(embedder.countTokens(''), 0);
      const counts = [1, 2, 5, 20, 100].map((times) =>
        embedder.countTokens('replace a document '.repeat(times)),
      );
      assert.ok(counts.every(Number.isInteger), 'tokens are whole');
      assert.deepEqual(
        counts,
        counts.toSorted((one, other) => one - other),
      );
      const [first = 0] = counts;
      assert.ok(
        first >= 1 && (counts.at(-1) ?? 0) >= first * 50,
        'a text of a hundred times the words is far longer',
      );
    },
    'counts the tokens of any text': async (embedder) => {
      for (const text of [' ', '\0', '\ud800', '🙂', 'é'.repeat(1000), 'a'.repeat(100_000)]) {
        const count = embedder.countTokens(text);
        assert.ok(Number.isInteger(count) && count >= 0 && count <= text.length * 4);
      }
    },
  }),
];

function assertCount(value: number, name: string): void {
  assert.ok(Number.isSafeInteger(value) && value >= 1, `${name} is a count, not ${value}`);
}
