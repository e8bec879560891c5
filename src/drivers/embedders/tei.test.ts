import { afterEach, expect, test } from 'vitest';
import type { EmbeddingServer } from '../../../test/servers/embedding/embedding-server.ts';
import { type Protocol, startLoopbackServer } from '../../../test/servers/embedding/loopback-server.ts';
import { startTeiServer, type TeiServerOptions } from '../../../test/servers/embedding/tei-server.ts';
import { testContext } from '../../platform/http/test-context.fixture.ts';
import driver from './tei.ts';

let server: EmbeddingServer;
afterEach(() => server?.close());

const model = 'BAAI/bge-small-en-v1.5';

async function opened(serverOptions: TeiServerOptions = {}, options: object = {}) {
  server = await startTeiServer(serverOptions);
  return driver.open(driver.options.parse({ url: server.url, model, ...options }), testContext());
}

test('learns the limits of the server before the first call', async () => {
  const info = {
    max_input_length: 128,
    max_client_batch_size: 7,
    max_batch_tokens: 900,
    max_concurrent_requests: 3,
  };
  const embedder = await opened({ info });
  expect(embedder.fingerprint).toBe(`tei:${model}`);
  await embedder.load?.();
  expect(embedder.maxTokens).toBe(126);
  expect(embedder.limits).toEqual({ batchTexts: 7, batchTokens: 900, concurrency: 3, gainsFromSize: true });
  const texts = Array.from({ length: 20 }, (_, at) => `text ${at}`);
  expect(await embedder.embed(texts, { as: 'chunk' })).toHaveLength(20);
  expect(server.calls).toHaveLength(3);
});

test('takes the model that the server states where the settings name none', async () => {
  const embedder = await opened({ model: 'intfloat/e5-small' }, { model: undefined });
  expect(embedder.fingerprint).toBe('tei:intfloat/e5-small');
  expect(embedder.facts.model).toBe('intfloat/e5-small');
  expect(await embedder.embed(['text'], { as: 'query' })).toHaveLength(1);
});

test.each([
  ['states no model', { info: { model_id: 'two words' } }],
  ['serves something else', { info: { model_type: { reranker: {} } } }],
])('refuses to guess the model of a server that %s', async (_, serverOptions) => {
  await expect(opened(serverOptions, { model: undefined })).rejects.toMatchObject({
    code: 'provider-refused',
  });
});

test('never sends a text that would wait for ever in a batch too small for it', async () => {
  const embedder = await opened({ info: { max_input_length: 32_768, max_batch_tokens: 100 } });
  await embedder.load?.();
  expect(embedder.maxTokens).toBe(98);
});

test('refuses a server that serves another model, and says which', async () => {
  const embedder = await opened({ model: 'intfloat/e5-small' });
  const refused = {
    code: 'provider-refused',
    message: expect.stringContaining('serves the model "intfloat/e5-small"'),
    remedy: expect.stringContaining('embedder.model'),
  };
  await expect(embedder.load?.()).rejects.toMatchObject(refused);
  await expect(embedder.embed(['text'], { as: 'query' })).rejects.toMatchObject(refused);
  expect(server.calls).toEqual([]);
});

test('refuses a server whose model is for something else', async () => {
  const embedder = await opened({ info: { model_type: { reranker: {} } } });
  await expect(embedder.load?.()).rejects.toMatchObject({
    code: 'provider-refused',
    message: expect.stringContaining('another purpose'),
  });
});

test('refuses a server that says nothing of its model', async () => {
  const embedder = await opened({ info: { model_id: 5 } });
  await expect(embedder.load?.()).rejects.toMatchObject({
    code: 'provider-refused',
    message: expect.stringContaining('/info'),
  });
});

test('asks again once the server works again', async () => {
  const info: Record<string, unknown> = { model_id: 'other/model' };
  const embedder = await opened({ info });
  await expect(embedder.load?.()).rejects.toMatchObject({ code: 'provider-refused' });
  info.model_id = model;
  await embedder.load?.();
  expect(await embedder.embed(['text'], { as: 'query' })).toHaveLength(1);
});

test('stops waiting for what the server says of itself when the caller stops', async () => {
  const mute: Protocol = {
    isEmbedding: () => true,
    refuse: () => undefined,
    answer: () => expect.unreachable(),
  };
  server = await startLoopbackServer(mute);
  server.inject({ kind: 'silent' });
  const embedder = await driver.open(driver.options.parse({ url: server.url, model }), testContext());
  const controller = new AbortController();
  const call = embedder.embed(['text'], { as: 'query', signal: controller.signal });
  await server.received(1);
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: 'interrupted' });
});

test('asks for whole texts and unit vectors', async () => {
  const embedder = await opened({}, { query_prefix: 'query: ' });
  await embedder.embed(['some words'], { as: 'query' });
  expect(JSON.parse(server.calls[0]?.body.toString() ?? '')).toEqual({
    inputs: ['query: some words'],
    normalize: true,
    truncate: false,
  });
});

test('takes a busy server for a limit', async () => {
  const embedder = await opened();
  server.inject({ kind: 'limited' });
  await expect(embedder.embed(['text'], { as: 'query' })).rejects.toMatchObject({
    code: 'provider-limited',
    message: expect.stringContaining('Model is overloaded'),
    retryAfter: undefined,
  });
});
