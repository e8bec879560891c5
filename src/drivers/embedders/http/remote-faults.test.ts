import { afterEach, describe, expect, test } from 'vitest';
import type { EmbeddingServer } from '../../../../test/servers/embedding/embedding-server.ts';
import type { Fault } from '../../../../test/servers/embedding/fault.ts';
import { startGeminiServer } from '../../../../test/servers/embedding/gemini-server.ts';
import { startOpenAiServer } from '../../../../test/servers/embedding/openai-server.ts';
import { startTeiServer } from '../../../../test/servers/embedding/tei-server.ts';
import type { Embedder } from '../../../contracts/embedder.ts';
import type { QuarryError } from '../../../core/errors.ts';
import { testContext } from '../../../platform/http/test-context.fixture.ts';
import gemini from '../gemini.ts';
import openai from '../openai.ts';
import tei from '../tei.ts';

const key = 'sk-very-secret-value';
const agreed = testContext({ QUARRY_EMBEDDER_API_KEY: key });
const impatient = { ...agreed, resources: { memoryBytes: 2 ** 30, threads: 1, timeoutSeconds: 0.3 } };
const model = 'the-model';

const drivers = {
  gemini: {
    start: () => startGeminiServer({ key, model }),
    open: (options: object, context = agreed) =>
      gemini.open(gemini.options.parse({ model, ...options }), context),
  },
  openai: {
    start: () => startOpenAiServer({ key, model }),
    open: (options: object, context = agreed) =>
      openai.open(openai.options.parse({ model, ...options }), context),
  },
  tei: {
    start: () => startTeiServer({ key, model }),
    open: (options: object, context = agreed) => tei.open(tei.options.parse({ model, ...options }), context),
  },
};

/** What a fault must become, whichever service has it. */
const faults: readonly [name: string, fault: Fault, expected: object][] = [
  ['a refused key', { kind: 'key-refused' }, { code: 'provider-key', message: /QUARRY_EMBEDDER_API_KEY/ }],
  ['an unknown model', { kind: 'model-unknown' }, { code: 'provider-refused', message: /the-model/ }],
  ['a call that is too large', { kind: 'call-too-large' }, { code: 'embedding-too-large' }],
  [
    'a limit with seconds to wait',
    { kind: 'limited', retryAfter: '12' },
    { code: 'provider-limited', retryAfter: 12_000 },
  ],
  [
    'a limit with a date to wait for',
    { kind: 'limited', retryAfter: new Date(0).toUTCString() },
    { code: 'provider-limited', retryAfter: 0 },
  ],
  ['an error of the server', { kind: 'failing', status: 500 }, { code: 'provider-unreachable' }],
  ['a bad gateway', { kind: 'failing', status: 502 }, { code: 'provider-unreachable' }],
  ['a request time-out', { kind: 'failing', status: 408 }, { code: 'provider-unreachable' }],
  [
    'an overloaded server',
    { kind: 'failing', status: 503, retryAfter: '3' },
    { code: 'provider-unreachable', retryAfter: 3000 },
  ],
  ['a cut connection', { kind: 'cut' }, { code: 'provider-unreachable' }],
  ['an answer that is not JSON', { kind: 'invalid-json' }, { code: 'provider-refused', message: /not JSON/ }],
  [
    'an answer without end',
    { kind: 'endless' },
    { code: 'provider-refused', message: /more than \d+ bytes/ },
  ],
  ['a vector too few', { kind: 'wrong-count' }, { code: 'provider-refused' }],
  ['a value that is not finite', { kind: 'not-a-number' }, { code: 'embedding-failed' }],
  ['a vector of zeros', { kind: 'all-zeros' }, { code: 'embedding-failed' }],
  [
    'vectors of another length than before',
    { kind: 'wrong-dimension' },
    { code: 'vector-invalid', message: /97 values; 96 came before/ },
  ],
];

let server: EmbeddingServer;
afterEach(() => server.close());

const embed = (embedder: Embedder, signal?: AbortSignal) =>
  embedder.embed(['one text', 'another text'], { as: 'chunk', ...(signal ? { signal } : {}) });

const failureOf = (work: Promise<unknown>): Promise<QuarryError> =>
  work.then(
    () => expect.unreachable('the call succeeds'),
    (thrown: QuarryError) => thrown,
  );

function matching({ message, ...rest }: { message?: RegExp }): object {
  return { ...rest, ...(message ? { message: expect.stringMatching(message) } : {}) };
}

describe.each(Object.entries(drivers))('%s', (_, { start, open }) => {
  test.each(faults)('reports %s, never the key, and works on', async (_name, fault, expected) => {
    server = await start();
    const embedder = await open({ url: server.url });
    await embed(embedder);
    server.inject(fault);
    const error = await failureOf(embed(embedder));
    expect(error).toMatchObject(matching(expected));
    expect(`${error.message} ${error.remedy}`).not.toContain(key);
    expect(error.remedy).toMatch(/^[A-Z].*\.$/);
    expect(await embed(embedder)).toHaveLength(2);
    await embedder.close();
  });

  test('follows no redirect', async () => {
    const elsewhere = await start();
    server = await start();
    const embedder = await open({ url: server.url });
    await embed(embedder);
    server.inject({ kind: 'redirect', location: `${elsewhere.url}/embeddings` });
    await expect(embed(embedder)).rejects.toMatchObject({
      code: 'provider-refused',
      message: expect.stringContaining(`redirects to ${new URL(elsewhere.url).host}`),
    });
    expect(elsewhere.calls).toEqual([]);
    await elsewhere.close();
  });

  test('gives up on a server that never answers', async () => {
    server = await start();
    const embedder = await open({ url: server.url }, impatient);
    server.inject({ kind: 'silent' });
    await expect(embed(embedder)).rejects.toMatchObject({
      code: 'provider-unreachable',
      message: expect.stringContaining('did not answer within 0.3 seconds'),
    });
  });

  test('stops waiting when the caller stops', async () => {
    server = await start();
    const embedder = await open({ url: server.url });
    server.inject({ kind: 'silent' });
    const controller = new AbortController();
    const call = embed(embedder, controller.signal);
    await server.received(1);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'interrupted' });
  });

  test('reports that nothing answers', async () => {
    server = await start();
    await server.close();
    const embedder = await open({ url: server.url });
    await expect(embed(embedder)).rejects.toMatchObject({
      code: 'provider-unreachable',
      message: expect.stringContaining('Nothing answers at'),
    });
  });

  test('reports that a server does not speak TLS', async () => {
    server = await start();
    const embedder = await open({ url: server.url.replace('http:', 'https:') });
    await expect(embed(embedder)).rejects.toMatchObject({
      code: 'provider-unreachable',
      message: expect.stringContaining('No trusted connection'),
    });
    expect(server.calls).toEqual([]);
  });

  test('asks for the length in the settings and refuses another', async () => {
    server = await start();
    const embedder = await open({ url: server.url, dimensions: 40 });
    expect((await embed(embedder))[0]).toHaveLength(40);
    server.inject({ kind: 'wrong-dimension' });
    await expect(embed(embedder)).rejects.toMatchObject({
      code: 'vector-invalid',
      message: expect.stringContaining('41 values; 40 are asked for'),
    });
    expect(embedder.dimensions).toBe(40);
  });
});

describe.each(Object.entries(drivers))('%s', (_, driver) => {
  test('repeats the words of a server that refuses a text, on one line and not for ever', async () => {
    server = await driver.start();
    const embedder = await driver.open({ url: server.url });
    const words = `line one\nline \u001b[31mtwo ${key} ${'and so on '.repeat(200)}`;
    server.inject({ kind: 'text-refused', words });
    const error = await failureOf(embed(embedder));
    expect(error).toMatchObject({ code: 'embedding-failed' });
    expect(error.message).toContain('line one line');
    expect(error.message).not.toMatch(/\p{Cc}/u);
    expect(error.message).not.toContain(key);
    expect(error.message.length).toBeLessThan(400);
  });
});
