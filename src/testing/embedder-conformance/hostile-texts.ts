import assert from 'node:assert/strict';
import {
  assertGood,
  assertSame,
  cosine,
  type EmbedderCheck,
  embedChunk,
  embedChunks,
  embedderChecks,
  roles,
  withEmbedder,
} from './embedder-check.ts';

/** Texts that have broken some embedder before. */
const oddTexts: Readonly<Record<string, string>> = {
  'an empty text': '',
  'white space alone': ' \t\r\n\u00a0\u2003 ',
  emoji: '🙂👩‍👩‍👧🏳️‍🌈',
  'a NUL': 'before\0after',
  'a NUL alone': '\0',
  'half a surrogate pair': 'half \ud83d of a pair',
  'half a surrogate pair alone': '\udc00',
  'control characters': '\u0001\u0007\u001b[31m\u009f',
  'marks without a letter': '\u0301\u0301\u0301',
  'writing from right to left': 'שלום \u202e عالم',
  'ideographs without spaces': '検索拡張生成は文書を検索する'.repeat(20),
  'special tokens as text': '[CLS] [SEP] [MASK] <s> </s> <|endoftext|>',
  'JSON as text': '{"input": ["\\u0000", null]}',
};

/** Checks with unexpected texts. */
export const hostileTextChecks: readonly EmbedderCheck[] = [
  ...Object.entries(oddTexts).map(([name, text]) => ({
    promise: `embeds ${name}`,
    check: withEmbedder(async (embedder) => {
      for (const as of roles) assertGood(await embedder.embed([text], { as }), 1, embedder);
    }),
  })),
  ...embedderChecks({
    'embeds odd texts among ordinary ones without changing those': async (embedder) => {
      const alone = await embedChunk(embedder, 'an ordinary text');
      const vectors = await embedChunks(embedder, [...Object.values(oddTexts), 'an ordinary text']);
      assertSame(vectors.at(-1), alone, 'the ordinary text keeps its vector');
    },
    'sees a very long text to its end': async (embedder) => {
      const long = 'the same few words over and over '.repeat(Math.ceil((embedder.maxTokens * 2.5) / 7));
      const [plain, ended] = await embedChunks(embedder, [
        long,
        `${long} ${'quokka zeppelin marzipan '.repeat(20)}`,
      ]);
      assert.ok(plain && ended);
      assert.ok(cosine(plain, ended) < 0.99999, 'what stands at the end of a long text counts');
    },
    'embeds a very long word': async (embedder) => {
      const data = Buffer.alloc(embedder.maxTokens * 3, 'Quarry 9').toString('base64');
      await embedChunks(embedder, [data]);
    },
  }),
];
