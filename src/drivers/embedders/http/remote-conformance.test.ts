import { afterAll, beforeAll, describe, test } from 'vitest';
import type { EmbeddingServer } from '../../../../test/servers/embedding/embedding-server.ts';
import { startGeminiServer } from '../../../../test/servers/embedding/gemini-server.ts';
import { startOpenAiServer } from '../../../../test/servers/embedding/openai-server.ts';
import { startTeiServer } from '../../../../test/servers/embedding/tei-server.ts';
import type { Embedder } from '../../../contracts/embedder.ts';
import { testContext } from '../../../platform/http/test-context.fixture.ts';
import { embedderConformance } from '../../../testing/embedder-conformance.ts';
import gemini from '../gemini.ts';
import openai from '../openai.ts';
import tei from '../tei.ts';

const context = testContext({ QUARRY_EMBEDDER_API_KEY: 'secret' });
const key = 'secret';

interface Setup {
  start(): Promise<EmbeddingServer>;
  open(url: string): Promise<Embedder>;
}

const openAiOptions = (options: object) => (url: string) =>
  openai.open(openai.options.parse({ url, model: 'test-embedding', ...options }), context);

const setups: Readonly<Record<string, Setup>> = {
  gemini: {
    start: () => startGeminiServer({ key }),
    open: (url) => gemini.open(gemini.options.parse({ url }), context),
  },
  'gemini, shortened': {
    start: () => startGeminiServer({ key }),
    open: (url) => gemini.open(gemini.options.parse({ url, dimensions: 32 }), context),
  },
  'openai with base64': { start: () => startOpenAiServer({ key }), open: openAiOptions({}) },
  'openai with lists and prefixes': {
    start: () => startOpenAiServer({ ignoresBase64: true, maxTokens: 512 }),
    open: openAiOptions({ query_prefix: 'query: ', passage_prefix: 'passage: ' }),
  },
  tei: {
    start: () => startTeiServer({ key }),
    open: (url) => tei.open(tei.options.parse({ url, model: 'BAAI/bge-small-en-v1.5' }), context),
  },
  'tei that counts three tokens where we count one': {
    start: () => startTeiServer({ tokensPerWord: 3 }),
    open: (url) => tei.open(tei.options.parse({ url, model: 'BAAI/bge-small-en-v1.5' }), context),
  },
};

describe.each(Object.entries(setups))('%s', (_, { start, open }) => {
  let server: EmbeddingServer;
  let shared: Embedder;
  beforeAll(async () => {
    server = await start();
    shared = await open(server.url);
  });
  afterAll(async () => {
    await shared.close();
    await server.close();
  });

  // Starting the threads of an embedder takes longer than most checks: those that may share one do.
  const openShared = async (): Promise<Embedder> =>
    Object.create(shared, { close: { value: async () => {} } });

  for (const { promise, opensItsOwn, check } of embedderConformance) {
    test(promise, () => check(opensItsOwn ? () => open(server.url) : openShared));
  }
});
