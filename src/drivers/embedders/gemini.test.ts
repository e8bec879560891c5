import { afterEach, expect, test } from 'vitest';
import type { EmbeddingServer } from '../../../test/servers/embedding/embedding-server.ts';
import { startGeminiServer } from '../../../test/servers/embedding/gemini-server.ts';
import { testContext } from '../../platform/http/test-context.fixture.ts';
import driver from './gemini.ts';

let server: EmbeddingServer;
afterEach(() => server?.close());

const parse = (options: object = {}) => driver.options.parse(options);

test('speaks to Google by default, with either name of the key', async () => {
  const asked: string[] = [];
  const embedder = await driver.open(parse(), testContext({ GEMINI_API_KEY: 'AIza1' }, asked));
  expect(asked).toEqual(['https://generativelanguage.googleapis.com/v1beta']);
  expect(embedder.fingerprint).toBe('gemini:gemini-embedding-001');
  expect(embedder.facts).toEqual({
    model: 'gemini-embedding-001',
    address: 'https://generativelanguage.googleapis.com/v1beta',
    key: 'GEMINI_API_KEY',
  });
  expect(embedder).toMatchObject({ maxTokens: 2048, dimensions: undefined, limits: { batchTexts: 100 } });
  const other = await driver.open(parse({ dimensions: 256 }), testContext({ GOOGLE_API_KEY: 'AIza2' }));
  expect(other.fingerprint).toBe('gemini:gemini-embedding-001@256');
  expect(other.facts.key).toBe('GOOGLE_API_KEY');
});

test('names the key that is missing, before anything is sent', async () => {
  const embedder = await driver.open(parse(), testContext());
  await expect(embedder.embed(['text'], { as: 'query' })).rejects.toMatchObject({
    code: 'provider-key',
    message: expect.stringContaining('GEMINI_API_KEY is not set'),
  });
});

test('gives the key of Google to no other host', async () => {
  server = await startGeminiServer();
  const embedder = await driver.open(parse({ url: server.url }), testContext({ GEMINI_API_KEY: 'AIza1' }));
  await embedder.embed(['text'], { as: 'query' });
  expect(JSON.stringify(server.calls[0]?.headers)).not.toContain('AIza1');
});

test('says what a text is for, and asks for the length in the settings', async () => {
  server = await startGeminiServer();
  const settings = parse({ url: server.url, model: 'models/gemini-embedding-001', dimensions: 24 });
  const embedder = await driver.open(settings, testContext());
  const [question] = await embedder.embed(['same words'], { as: 'query' });
  const [chunk] = await embedder.embed(['same words'], { as: 'chunk' });
  expect(question).not.toEqual(chunk);
  expect(Math.hypot(...(question ?? []))).toBeCloseTo(1, 5);
  const requests = server.calls.flatMap(({ body }) => JSON.parse(body.toString()).requests);
  expect(requests.map(({ taskType }) => taskType)).toEqual(['RETRIEVAL_QUERY', 'RETRIEVAL_DOCUMENT']);
  expect(requests[0]).toMatchObject({ outputDimensionality: 24, model: 'models/gemini-embedding-001' });
});

test('understands how long Google asks to wait', async () => {
  server = await startGeminiServer();
  const embedder = await driver.open(parse({ url: server.url }), testContext());
  server.inject({ kind: 'limited' });
  await expect(embedder.embed(['text'], { as: 'query' })).rejects.toMatchObject({
    code: 'provider-limited',
    retryAfter: 37_000,
  });
});

test('divides what is more than a hundred windows into several requests', async () => {
  server = await startGeminiServer();
  const embedder = await driver.open(parse({ url: server.url }), testContext());
  const vectors = await embedder.embed(
    Array.from({ length: 230 }, (_, at) => `text ${at}`),
    { as: 'chunk' },
  );
  expect(vectors).toHaveLength(230);
  expect(server.calls).toHaveLength(3);
});
