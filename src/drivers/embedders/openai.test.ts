import { afterEach, describe, expect, test } from 'vitest';
import type { EmbeddingServer } from '../../../test/servers/embedding/embedding-server.ts';
import {
  type OpenAiServerOptions,
  startOpenAiServer,
} from '../../../test/servers/embedding/openai-server.ts';
import { testContext } from '../../platform/http/test-context.fixture.ts';
import driver from './openai.ts';

let server: EmbeddingServer;
afterEach(() => server?.close());

const model = 'test-embedding';
const parse = (options: object) => driver.options.parse(options);

async function opened(serverOptions: OpenAiServerOptions, options: object, variables = {}) {
  server = await startOpenAiServer(serverOptions);
  return driver.open(parse({ url: server.url, model, ...options }), testContext(variables));
}

describe('settings', () => {
  test('name a model for every server but the one of OpenAI', async () => {
    const opening = driver.open(parse({ url: 'http://127.0.0.1:11434/v1' }), testContext());
    await expect(opening).rejects.toMatchObject({
      code: 'config-invalid',
      remedy: expect.stringContaining('embedder.model'),
    });
    const { fingerprint, facts } = await driver.open(parse({}), testContext({ OPENAI_API_KEY: 'sk-1' }));
    expect(fingerprint).toBe('openai:api.openai.com:text-embedding-3-small');
    expect(facts).toMatchObject({ key: 'OPENAI_API_KEY', address: 'https://api.openai.com/v1' });
  });

  test.each([
    'ftp://host/v1',
    'file:///etc/passwd',
    'not an address',
    'http://user:password@host/v1',
    'http://api.openai.com/v1',
  ])('refuse %s as an address, without repeating a password', async (url) => {
    const opening = driver.open(parse({ url, model }), testContext());
    await expect(opening).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.not.stringContaining('password@'),
    });
  });

  test('that would send text to OpenAI unencrypted are refused for that first, whatever else is missing', async () => {
    const opening = driver.open(
      parse({ url: 'http://api.openai.com/v1' }),
      testContext({ OPENAI_API_KEY: 'sk-1' }),
    );
    await expect(opening).rejects.toMatchObject({
      message: 'embedder.url would send text to api.openai.com unencrypted.',
      remedy: 'Set embedder.url to https://api.openai.com.',
    });
  });

  test('change the name of the space when they change the vectors', async () => {
    const named = async (options: object) =>
      (await driver.open(parse({ url: 'http://host:8080/v1', model, ...options }), testContext()))
        .fingerprint;
    expect(await named({})).toBe('openai:host:8080:test-embedding');
    expect(await named({ dimensions: 256 })).toBe('openai:host:8080:test-embedding@256');
    expect(await named({ query_prefix: 'q: ' })).toMatch(/^openai:host:8080:test-embedding\+[0-9a-f]{8}$/);
    expect(await named({ query_prefix: 'q: ' })).not.toBe(await named({ passage_prefix: 'q: ' }));
    expect(await named({ space: 'local:mini', query_prefix: 'q: ' })).toBe('local:mini');
  });

  test('are asked for consent with the address, and opening sends nothing', async () => {
    server = await startOpenAiServer();
    const asked: string[] = [];
    await driver.open(parse({ url: server.url, model }), testContext({}, asked));
    expect(asked).toEqual([server.url]);
    expect(server.calls).toEqual([]);
  });

  test('open nothing without consent', async () => {
    server = await startOpenAiServer();
    const refusal = Promise.reject(Object.assign(new TypeError('no'), { code: 'consent-missing' }));
    const context = { ...testContext(), requireConsent: () => refusal };
    await expect(driver.open(parse({ url: server.url, model }), context)).rejects.toMatchObject({
      code: 'consent-missing',
    });
  });
});

describe('keys', () => {
  test('of OpenAI go to no other host', async () => {
    const embedder = await opened({}, {}, { OPENAI_API_KEY: 'sk-openai' });
    await embedder.embed(['text'], { as: 'query' });
    expect(JSON.stringify(server.calls[0]?.headers)).not.toContain('sk-openai');
    expect(embedder.facts.key).toBe('none');
  });

  test('that are missing are reported before anything is sent', async () => {
    const embedder = await driver.open(parse({}), testContext({ QUARRY_EMBEDDER_API_KEY: 'other' }));
    const missing = { code: 'provider-key', message: expect.stringContaining('OPENAI_API_KEY is not set') };
    await expect(embedder.load?.()).rejects.toMatchObject(missing);
    await expect(embedder.embed(['text'], { as: 'query' })).rejects.toMatchObject(missing);
  });

  test('that a server of one’s own wants are named', async () => {
    const embedder = await opened({ key: 'secret' }, {});
    await expect(embedder.embed(['text'], { as: 'query' })).rejects.toMatchObject({
      code: 'provider-key',
      message: expect.stringContaining('QUARRY_EMBEDDER_API_KEY is not set'),
    });
  });

  test('with characters that cannot be sent are refused without being shown', async () => {
    const embedder = await opened({}, {}, { QUARRY_EMBEDDER_API_KEY: 'se\r\ncret: x' });
    await expect(embedder.embed(['text'], { as: 'query' })).rejects.toMatchObject({
      code: 'provider-key',
      message: expect.not.stringContaining('cret'),
    });
    expect(server.calls).toEqual([]);
  });
});

describe('answers', () => {
  const texts = ['alpha beta', 'gamma', 'delta epsilon', 'zeta'];

  test('are put into order by their index', async () => {
    const embedder = await opened({}, {});
    const before = await embedder.embed(texts, { as: 'chunk' });
    server.inject({ kind: 'shuffled' });
    expect(await embedder.embed(texts, { as: 'chunk' })).toEqual(before);
  });

  test('with an index that comes twice are refused', async () => {
    const embedder = await opened({}, {});
    server.inject({ kind: 'repeated-index' });
    await expect(embedder.embed(texts, { as: 'chunk' })).rejects.toMatchObject({
      code: 'provider-refused',
      message: expect.stringContaining('the index 0 comes twice'),
    });
  });

  test('are the same as base64 and as lists', async () => {
    const base64 = await (await opened({}, {})).embed(texts, { as: 'chunk' });
    await server.close();
    const lists = await (await opened({ ignoresBase64: true }, {})).embed(texts, { as: 'chunk' });
    expect(lists).toEqual(base64);
  });
});

describe('long texts', () => {
  test('that the server counts as too long are seen in smaller windows', async () => {
    const embedder = await opened({ maxTokens: 100 }, {});
    const texts = ['short', 'many words '.repeat(120), 'short too'];
    const together = await embedder.embed(texts, { as: 'chunk' });
    for (const [at, text] of texts.entries()) {
      expect(await embedder.embed([text], { as: 'chunk' })).toEqual([together[at]]);
    }
  });

  test('take as many requests as they need', async () => {
    const embedder = await opened({}, { max_tokens: 16 });
    const [vector] = await embedder.embed(['many different words here '.repeat(3000)], { as: 'chunk' });
    expect(vector).toHaveLength(96);
    expect(server.calls.length).toBeGreaterThan(3);
  });
});
