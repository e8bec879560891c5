import { afterEach, describe, expect, test } from 'vitest';
import type { EmbeddingServer } from '../../../../test/servers/embedding/embedding-server.ts';
import type { Fault } from '../../../../test/servers/embedding/fault.ts';
import { startRerankServer } from '../../../../test/servers/rerank/rerank-server.ts';
import type { ChunkScore, Reranker } from '../../../contracts/reranker.ts';
import { QuarryError } from '../../../core/errors.ts';
import { testContext } from '../../../platform/http/test-context.fixture.ts';
import { rerankerConformance } from '../../../testing/reranker-conformance.ts';
import { rerankingServer } from './driver.ts';
import { type ProtocolName, protocolNames } from './protocols.ts';

const key = 'sk-very-secret-value';
const model = 'test-reranker';
const context = testContext({ QUARRY_RERANKER_API_KEY: key });
const open = (
  {
    protocol,
    ...options
  }: { readonly protocol: ProtocolName; readonly url?: string; readonly model?: string },
  within = context,
) => {
  const driver = rerankingServer(protocol);
  return driver.open(driver.options.parse(options), within);
};

const query = 'replace a document';
const chunks = ['zebra crossing', 'a document', 'replace a document'];

async function scores(
  reranker: Reranker,
  { texts = chunks, budgetMs = 60_000, signal = new AbortController().signal } = {},
): Promise<ChunkScore[]> {
  const all: ChunkScore[] = [];
  for await (const batch of reranker.score(query, texts, { budgetMs, signal })) all.push(...batch);
  return all;
}

const failureOf = (work: Promise<unknown>): Promise<QuarryError> =>
  work.then(
    () => expect.unreachable('the call succeeds'),
    (thrown: QuarryError) => thrown,
  );

let server: EmbeddingServer;
afterEach(() => server?.close());

describe.each(protocolNames)('%s', (protocol) => {
  const start = async (maxChunks?: number) => {
    server = await startRerankServer({ protocol, key, ...(maxChunks && { maxChunks }) });
    return open({ protocol, url: server.url, model });
  };

  describe('keeps the contract:', () => {
    for (const { promise, check } of rerankerConformance) {
      test(promise, async () => {
        server = await startRerankServer({ protocol, key });
        await check(() => open({ protocol, url: server.url, model }));
      });
    }
  });

  test('gives each chunk the score that the server gave it, whatever the order of the answer', async () => {
    const reranker = await start();
    const found = new Map((await scores(reranker)).map(({ index, score }) => [index, score]));
    expect([0, 1, 2].map((index) => found.get(index))).toEqual([0, 2 / 3, 1]);
  });

  test.each<[string, Fault, object]>([
    ['a refused key', { kind: 'key-refused' }, { code: 'provider-key' }],
    ['an unknown model', { kind: 'model-unknown' }, { code: 'provider-refused' }],
    ['a refused text', { kind: 'text-refused', words: 'no' }, { code: 'model-failed' }],
    [
      'a limit that ends after the budget',
      { kind: 'limited', retryAfter: '3600' },
      { code: 'provider-limited', retryAfter: 3_600_000 },
    ],
    [
      'a failing server that asks for patience',
      { kind: 'failing', status: 503, retryAfter: '3600' },
      { code: 'provider-unreachable' },
    ],
    ['an answer that is not JSON', { kind: 'invalid-json' }, { code: 'provider-refused' }],
    ['an answer without end', { kind: 'endless' }, { code: 'provider-refused' }],
    ['an answer of another shape', { kind: 'wrong-shape' }, { code: 'provider-refused' }],
    ['fewer results than chunks', { kind: 'wrong-count' }, { code: 'provider-refused' }],
    ['an index that was not asked for', { kind: 'index-out-of-range' }, { code: 'provider-refused' }],
    ['an index that comes twice', { kind: 'repeated-index' }, { code: 'provider-refused' }],
    ['a score that is no number', { kind: 'not-a-number' }, { code: 'provider-refused' }],
  ])('reports %s, never the key, and works on', async (_, fault, expected) => {
    const reranker = await start();
    server.inject(fault);
    const error = await failureOf(scores(reranker));
    expect(error).toMatchObject(expected);
    expect(`${error.message} ${error.remedy}`).not.toContain(key);
    expect(`${error.message} ${error.remedy}`).not.toContain('embedder');
    expect(server.calls).toHaveLength(1);
    expect(await scores(reranker)).toHaveLength(3);
    await reranker.close();
  });

  test.each<[string, Fault]>([
    ['a limit', { kind: 'limited', retryAfter: '0' }],
    ['a server error', { kind: 'failing', status: 500 }],
    ['a cut connection', { kind: 'cut' }],
  ])('asks again after %s while the budget lasts', async (_, fault) => {
    const reranker = await start();
    server.inject(fault);
    expect(await scores(reranker)).toHaveLength(3);
    expect(server.calls).toHaveLength(2);
  });

  test('gives up after a few tries', async () => {
    const reranker = await start();
    server.inject(...Array.from({ length: 5 }, (): Fault => ({ kind: 'limited', retryAfter: '0' })));
    expect(await failureOf(scores(reranker))).toMatchObject({ code: 'provider-limited' });
    expect(server.calls).toHaveLength(3);
  });

  test('asks once where the budget leaves no time for more', async () => {
    const reranker = await start();
    server.inject({ kind: 'failing', status: 500 });
    expect(await failureOf(scores(reranker, { budgetMs: 1 }))).toMatchObject({
      code: 'provider-unreachable',
    });
    expect(server.calls).toHaveLength(1);
  });

  test('ends with what it has when it is stopped while the server is silent', async () => {
    const reranker = await start(2);
    await scores(reranker);
    const before = server.calls.length;
    const controller = new AbortController();
    const call = scores(reranker, { signal: controller.signal });
    // The server takes two at a time; the call with the third is never answered.
    await server.received(before + 1);
    server.inject({ kind: 'silent' });
    await server.received(before + 2);
    controller.abort();
    expect((await call).map(({ index }) => index).sort()).toEqual([0, 1]);
    expect(await scores(reranker)).toHaveLength(3);
  });

  test('sends fewer chunks at once to a server that takes fewer, and loses none', async () => {
    const reranker = await start(4);
    const texts = Array.from({ length: 10 }, (_, index) => `document ${index}`);
    const found = await scores(reranker, { texts });
    expect(found.map(({ index }) => index).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const before = server.calls.length;
    await scores(reranker, { texts });
    expect(server.calls.length - before).toBe(4);
  });

  test('follows no redirect', async () => {
    const elsewhere = await startRerankServer({ protocol });
    const reranker = await start();
    server.inject({ kind: 'redirect', location: `${elsewhere.url}/rerank` });
    expect(await failureOf(scores(reranker))).toMatchObject({ code: 'provider-refused' });
    expect(elsewhere.calls).toEqual([]);
    await elsewhere.close();
  });

  test('sends nothing before the user has agreed to the address', async () => {
    server = await startRerankServer({ protocol });
    const notAgreed = new QuarryError('consent-missing', 'not agreed', 'Agree.');
    const refusing = { ...context, requireConsent: () => Promise.reject(notAgreed) };
    await expect(open({ protocol, url: server.url, model }, refusing)).rejects.toThrow('not agreed');
    expect(server.calls).toEqual([]);
  });

  test('sends nothing more once the user has withdrawn consent', async () => {
    server = await startRerankServer({ protocol });
    let isAgreed = true;
    const requireConsent = async () => {
      if (!isAgreed) throw new QuarryError('consent-missing', 'Not agreed.', 'Agree.');
    };
    const reranker = await open({ protocol, url: server.url, model }, { ...context, requireConsent });
    await scores(reranker);
    isAgreed = false;
    expect(await failureOf(scores(reranker))).toMatchObject({ code: 'consent-missing' });
    expect(server.calls).toHaveLength(1);
  });
});

test('goes through the proxy of the environment, whose address is not shown', async () => {
  const within = testContext({ COHERE_API_KEY: 'secret', HTTPS_PROXY: 'http://me:hidden@proxy:3128' });
  const { facts } = await open({ protocol: 'cohere' }, within);
  expect(facts).toHaveProperty('proxy');
  expect(JSON.stringify(facts)).not.toContain('hidden');
});

describe('settings', () => {
  test.each<[ProtocolName, string, string]>([
    ['cohere', 'https://api.cohere.com/v2', 'COHERE_API_KEY'],
    ['jina', 'https://api.jina.ai/v1', 'JINA_API_KEY'],
  ])('%s needs nothing but its key', async (protocol, address, variable) => {
    const asked: string[] = [];
    const within = testContext({ [variable]: 'secret', QUARRY_RERANKER_API_KEY: 'other' }, asked);
    const { facts } = await open({ protocol }, within);
    expect(facts).toMatchObject({ address, key: variable });
    expect(asked).toEqual([address]);
    expect(facts).not.toHaveProperty('proxy');
  });

  test("a provider's key goes to no other server", async () => {
    server = await startRerankServer({ protocol: 'cohere' });
    const within = testContext({ COHERE_API_KEY: 'secret' });
    const reranker = await open({ protocol: 'cohere', url: server.url, model }, within);
    await scores(reranker);
    expect(server.calls[0]?.headers.authorization).toBeUndefined();
  });

  test.each<[Parameters<typeof open>[0], RegExp]>([
    [{ protocol: 'tei' }, /reranker\.url is not set/],
    [{ protocol: 'cohere', url: 'http://localhost:1' }, /reranker\.model is not set/],
    [{ protocol: 'cohere', url: 'http://api.cohere.com/v2' }, /unencrypted/],
    [{ protocol: 'tei', url: 'https://user:secret@host' }, /reranker\.url holds a user name/],
    [{ protocol: 'tei', url: 'file:///etc/passwd' }, /reranker\.url is not/],
  ])('%j is refused', async (options, message) => {
    const error = await failureOf(open(options));
    expect(error).toMatchObject({ code: 'config-invalid', message: expect.stringMatching(message) });
    expect(error.message).not.toContain('secret');
  });

  test('a missing key of a provider is named before anything is sent', async () => {
    const reranker = await open({ protocol: 'jina' }, testContext());
    expect(await failureOf(scores(reranker))).toMatchObject({
      code: 'provider-key',
      message: expect.stringContaining('JINA_API_KEY'),
    });
  });
});
