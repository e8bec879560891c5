import { afterEach, describe, expect, test } from 'vitest';
import type { EmbeddingServer } from '../../../../test/servers/embedding/embedding-server.ts';
import {
  type OpenAiServerOptions,
  startOpenAiServer,
} from '../../../../test/servers/embedding/openai-server.ts';
import type { Embedder } from '../../../contracts/embedder.ts';
import { testContext } from '../../../platform/http/test-context.fixture.ts';
import driver from './driver.ts';

const model = 'test-embedding';

let server: EmbeddingServer;
let embedder: Embedder;
async function close(): Promise<void> {
  await embedder?.close();
  await server?.close();
}
afterEach(close);

async function opened(serverOptions: OpenAiServerOptions, options: object): Promise<Embedder> {
  server = await startOpenAiServer(serverOptions);
  const settings = driver.options.parse({ url: server.url, model, threads: 1, ...options });
  embedder = await driver.open(settings, testContext());
  return embedder;
}

describe('tokens', () => {
  const texts = ['Plain words, punctuation', '', 'naïve 北京', 'putDocument snake_case'];

  test('come back the same as base64, as lists and as raw numbers', async () => {
    const base64 = await (await opened({}, {})).embed(texts, { as: 'chunk' });
    await close();
    const lists = await (await opened({ ignoresBase64: true }, {})).embed(texts, { as: 'chunk' });
    await close();
    const half = await (await opened({ binary: 'float16' }, {})).embed(texts, { as: 'chunk' });
    expect(lists).toEqual(base64);
    half.forEach((vector, at) => {
      vector.forEach((value, place) => {
        expect(value).toBeCloseTo(base64[at]?.[place] ?? Number.NaN, 2);
      });
    });
  });

  test('travel as lists or as bytes with the same meaning', async () => {
    const lists = await (await opened({}, {})).embed(texts, { as: 'chunk' });
    const { input } = JSON.parse(server.calls[0]?.body.toString() ?? '');
    expect(input[1]).toEqual([101, 102]);
    await close();
    const embedder = await opened({ binary: 'float32' }, { binary: true });
    expect(await embedder.embed(texts, { as: 'chunk' })).toEqual(lists);
    const { headers, body } = server.calls[0] ?? expect.unreachable();
    expect(headers).toMatchObject({ 'content-type': 'application/octet-stream', 'x-embedding-model': model });
    expect(Buffer.from(body).readUInt32LE(0)).toBe(texts.length);
    expect(Buffer.from(body).readUInt32LE(8)).toBe(2);
  });

  test('of a prefix are at the beginning of every window', async () => {
    const embedder = await opened({ maxTokens: 34 }, { max_tokens: 32, passage_prefix: 'the passage' });
    await embedder.embed(['word '.repeat(100)], { as: 'chunk' });
    const { input } = JSON.parse(server.calls[0]?.body.toString() ?? '') as { input: number[][] };
    expect(input.length).toBeGreaterThan(3);
    expect(new Set(input.map((row) => row.slice(0, 3).join()))).toHaveLength(1);
    expect(input.every((row) => row.length <= 34 && row[0] === 101 && row.at(-1) === 102)).toBe(true);
  });

  test('of long texts among short ones give each text one vector of its own', async () => {
    const embedder = await opened({ binary: 'float32', maxTokens: 256 }, { binary: true });
    const mixed = ['short', 'long words '.repeat(400), 'short too', 'other words '.repeat(300), ''];
    const together = await embedder.embed(mixed, { as: 'chunk' });
    for (const [at, text] of mixed.entries()) {
      expect(await embedder.embed([text], { as: 'chunk' })).toEqual([together[at]]);
    }
  });

  test('that a server cannot read as bytes lead to the setting', async () => {
    const embedder = await opened({}, { binary: true });
    await expect(embedder.embed(['text'], { as: 'query' })).rejects.toMatchObject({
      code: 'provider-refused',
    });
    server.inject({ kind: 'text-refused', words: 'bad input' });
    await expect(embedder.embed(['text'], { as: 'query' })).rejects.toMatchObject({
      code: 'provider-refused',
      remedy: expect.stringContaining('embedder.binary'),
    });
  });

  test('that are too many for the model lead to the setting', async () => {
    const embedder = await opened({ maxTokens: 64 }, {});
    await expect(embedder.embed(['word '.repeat(100)], { as: 'query' })).rejects.toMatchObject({
      code: 'embedding-failed',
      remedy: expect.stringContaining('embedder.max_tokens'),
    });
  });
});
