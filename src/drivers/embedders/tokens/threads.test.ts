import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import type { EmbeddingServer } from '../../../../test/servers/embedding/embedding-server.ts';
import {
  type OpenAiServerOptions,
  startOpenAiServer,
} from '../../../../test/servers/embedding/openai-server.ts';
import type { Embedder } from '../../../contracts/embedder.ts';
import { testContext } from '../../../platform/http/test-context.fixture.ts';
import driver from './driver.ts';

const key = 'sk-very-secret-value';
const model = 'test-embedding';
const texts = ['alpha beta', '', 'naïve 北京', 'long words '.repeat(400)];

let server: EmbeddingServer;
let embedder: Embedder | undefined;
afterEach(async () => {
  await embedder?.close();
  await server?.close();
});

const open = (options: object): Promise<Embedder> =>
  driver.open(
    driver.options.parse({ url: server.url, model, ...options }),
    testContext({ QUARRY_EMBEDDER_API_KEY: key }),
  );

async function opened(options: object, serverOptions: OpenAiServerOptions = {}): Promise<Embedder> {
  server = await startOpenAiServer({ binary: 'float32', maxTokens: 256, ...serverOptions });
  embedder = await open(options);
  return embedder;
}

describe('settings', () => {
  test('use up to four threads, unless they say otherwise', async () => {
    const { facts, limits } = await opened({});
    const usual = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)));
    expect(facts.threads).toBe(`up to ${usual}`);
    expect(limits.concurrency).toBe(Math.max(4, 2 * usual));
    expect((await open({ threads: 3 })).facts.threads).toBe('up to 3');
    expect((await open({ threads: 16 })).limits.concurrency).toBe(32);
    expect((await open({ threads: 16, concurrency: 5 })).limits.concurrency).toBe(5);
  });

  test.each([0, 65, 1.5])('refuse %d threads', (threads) => {
    expect(driver.options.safeParse({ url: 'http://host', model, threads }).success).toBe(false);
  });

  test('hold one text of full length in a call, however long that is', async () => {
    const { limits, maxTokens } = await opened({ max_tokens: 1_000_000 });
    expect(limits.batchTokens).toBeGreaterThanOrEqual(maxTokens);
  });
});

test.each([true, false])('several threads give the same vectors, binary %s', async (binary) => {
  const threaded = await opened({ binary, threads: 2 });
  const expected = await threaded.embed(texts, { as: 'chunk' });
  const others = Array.from({ length: 6 }, () => threaded.embed(texts, { as: 'chunk' }));
  for (const vectors of await Promise.all(others)) expect(vectors).toEqual(expected);
  expect(threaded.dimensions).toBe(96);
});

describe('calls', () => {
  test('run at the same time in one thread', async () => {
    const threaded = await opened({ threads: 1 });
    server.inject({ kind: 'silent' });
    const controller = new AbortController();
    const silent = threaded.embed(['one'], { as: 'chunk', signal: controller.signal });
    await server.received(1);
    expect(await threaded.embed(['two'], { as: 'chunk' })).toHaveLength(1);
    controller.abort();
    await expect(silent).rejects.toMatchObject({ code: 'interrupted' });
  });

  test('that are interrupted all end, and the thread works on', async () => {
    const threaded = await opened({ threads: 1, timeout_seconds: 3600 });
    server.inject({ kind: 'silent' }, { kind: 'silent' });
    const controller = new AbortController();
    const calls = [1, 2].map((at) =>
      threaded.embed([`text ${at}`], { as: 'chunk', signal: controller.signal }),
    );
    await server.received(2);
    controller.abort();
    const ends = await Promise.allSettled(calls);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await threaded.embed(['next'], { as: 'chunk' })).toHaveLength(1);
  });

  test('in flight and later ones are interrupted when the embedder is closed', async () => {
    const threaded = await opened({ threads: 2 });
    server.inject({ kind: 'silent' });
    const call = threaded.embed(['one'], { as: 'chunk' });
    await server.received(1);
    await Promise.all([threaded.close(), expect(call).rejects.toMatchObject({ code: 'interrupted' })]);
    await expect(threaded.embed(['two'], { as: 'chunk' })).rejects.toMatchObject({ code: 'interrupted' });
  });

  test('fail with all that the error says', async () => {
    const threaded = await opened({ threads: 1 });
    server.inject({ kind: 'limited', retryAfter: '12' });
    await expect(threaded.embed(['one'], { as: 'chunk' })).rejects.toMatchObject({
      name: 'QuarryError',
      code: 'provider-limited',
      message: expect.stringContaining('127.0.0.1'),
      remedy: expect.stringMatching(/^[A-Z].*\.$/),
      retryAfter: 12_000,
    });
  });

  test('refuse vectors of another length than a different thread got', async () => {
    const threaded = await opened({ threads: 2 });
    await threaded.embed(['first'], { as: 'chunk' });
    server.inject({ kind: 'silent' }, { kind: 'wrong-dimension' });
    const controller = new AbortController();
    const silent = threaded.embed(['busy'], { as: 'chunk', signal: controller.signal });
    await server.received(2);
    // The thread of the first call is busy: this one goes to another, which has seen no vector yet.
    await expect(threaded.embed(['other'], { as: 'chunk' })).rejects.toMatchObject({
      code: 'vector-invalid',
      message: expect.stringContaining('97 values; 96 came before'),
    });
    expect(await threaded.embed(['again'], { as: 'chunk' })).toHaveLength(1);
    controller.abort();
    await expect(silent).rejects.toMatchObject({ code: 'interrupted' });
  });
});

describe('a thread that stops', () => {
  /** The thread that the work starts first, from the runtime itself. */
  async function firstThread(work: () => Promise<unknown>): Promise<Worker> {
    const started = once(process, 'worker') as Promise<[Worker]>;
    await work();
    const [worker] = await started;
    return worker;
  }

  test('fails its calls as texts that may be at fault, and is replaced', async () => {
    const threaded = await opened({ threads: 1 });
    const thread = await firstThread(() => threaded.embed(['first'], { as: 'chunk' }));
    server.inject({ kind: 'silent' });
    const call = threaded.embed(['second'], { as: 'chunk' });
    await server.received(2);
    // No message has this form: reading it ends the thread.
    thread.postMessage(null);
    await expect(call).rejects.toMatchObject({
      code: 'embedding-failed',
      message: expect.stringContaining('A thread that calls the embedding server stopped'),
      remedy: expect.stringContaining('embedder.threads'),
    });
    expect(await threaded.embed(['third'], { as: 'chunk' })).toHaveLength(1);
  });

  test('before it is ready blames no text', async () => {
    const threaded = await opened({ threads: 1 });
    const started = once(process, 'worker') as Promise<[Worker]>;
    const call = threaded.embed(['first'], { as: 'chunk' });
    const [thread] = await started;
    void thread.terminate();
    await expect(call).rejects.toMatchObject({ code: 'provider-unreachable' });
    expect(await threaded.embed(['second'], { as: 'chunk' })).toHaveLength(1);
  });

  test('is started by the first call, and by loading, but not by opening', async () => {
    let threads = 0;
    const count = (): void => {
      threads += 1;
    };
    process.on('worker', count);
    const threaded = await opened({ threads: 3 });
    await threaded.close();
    expect(threads).toBe(0);
    embedder = await open({ threads: 3 });
    await Promise.all([embedder.load?.(), embedder.load?.(), embedder.load?.()]);
    expect(server.calls).toEqual([]);
    expect(threads).toBe(1);
    await embedder.embed(['one'], { as: 'chunk' });
    await embedder.embed(['two'], { as: 'chunk' });
    expect(threads).toBe(1);
    await Promise.all(Array.from({ length: 9 }, () => embedder?.embed(['three'], { as: 'chunk' })));
    expect(threads).toBe(3);
    process.off('worker', count);
  });
});

describe('a process', () => {
  const driverUrl = new URL('./driver.ts', import.meta.url).href;

  /** Runs a program with an embedder of two threads; what it prints and how it ends. */
  async function run(program: string): Promise<{ code: number | null; output: string }> {
    server = await startOpenAiServer({ binary: 'float32', key });
    const start = `
      const { default: driver } = await import(${JSON.stringify(driverUrl)});
      const options = ${JSON.stringify({ url: server.url, model, binary: true, threads: 2 })};
      const context = { environment: () => ${JSON.stringify(key)}, requireConsent: async () => {} };
      const embedder = await driver.open(driver.options.parse(options), context);
      const embed = (text) => embedder.embed([text], { as: 'query' });
      `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', start + program]);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part) => {
        output += part;
      });
    }
    const [code] = await once(child, 'close');
    return { code, output };
  }

  test('ends by itself once its calls are answered, without closing the embedder', async () => {
    const { code, output } = await run(
      `const all = await Promise.all([embed('one'), embed('two'), embed('three')]);
       process.stdout.write(String(all.length));`,
    );
    expect({ code, output }).toEqual({ code: 0, output: '3' });
  });

  test('waits for the calls in flight', async () => {
    const { code, output } = await run(`embed('one').then(() => process.stdout.write('answered'));`);
    expect({ code, output }).toEqual({ code: 0, output: 'answered' });
  });

  test('that ends in the middle of its calls exits with its own code and says nothing', async () => {
    const { code, output } = await run(`await embed('one'); embed('two'); embed('three'); process.exit(7);`);
    expect({ code, output }).toEqual({ code: 7, output: '' });
  });

  test('puts the key into no argument, no variable and no fact', async () => {
    const { output } = await run(
      `await embed('one');
       process.stdout.write(JSON.stringify([process.argv, process.env, embedder.facts]));`,
    );
    expect(output).toContain('up to 2');
    expect(output).not.toContain(key);
    expect(server.calls[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });
});
