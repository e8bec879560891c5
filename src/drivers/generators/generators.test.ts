import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { type ChatFault, type ChatServer, startChatServer } from '../../../test/servers/chat/chat-server.ts';
import type { Driver } from '../../contracts/driver.ts';
import type { GenerateOptions, Generator, Message } from '../../contracts/generator.ts';
import { QuarryError } from '../../core/errors.ts';
import { testContext } from '../../platform/http/test-context.fixture.ts';
import { generators } from '../manifest.ts';
import { findLocalServers } from './find-local.ts';

const key = 'sk-very-secret-value';
const pieces = ['Locks ', 'are ', 'taken ', 'in ', 'order [1]. ', 'Größe 🙂'];
const messages: readonly Message[] = [
  { role: 'system', content: 'Answer from the sources.' },
  { role: 'user', content: 'How are locks taken?' },
  { role: 'assistant', content: 'In order [1].' },
  { role: 'user', content: 'And released?' },
];
const never = new Promise<never>(() => {});
const bounds: GenerateOptions = { maxTokens: 64, temperature: 0 };

let server: ChatServer;
let generator: Generator | undefined;
afterEach(async () => {
  await generator?.close();
  generator = undefined;
  await server?.close();
});

async function open(name: string, options: object, context = testContext({ QUARRY_GENERATOR_API_KEY: key })) {
  const driver = (await generators[name]?.())?.default as Driver<Generator>;
  generator = await driver.open(driver.options.parse(options), context);
  return generator;
}

/** What came before the end or the failure. */
async function written(from: Generator, more: Partial<GenerateOptions> = {}) {
  const got: string[] = [];
  try {
    for await (const piece of from.generate(messages, { ...bounds, ...more })) got.push(piece);
    return { got };
  } catch (thrown) {
    return { got, error: thrown as QuarryError };
  }
}

describe.each(['openai', 'anthropic', 'gemini'] as const)('%s', (protocol) => {
  const start = async (more: object = {}, timeoutSeconds?: number) => {
    server = await startChatServer({ protocol, key, write: () => pieces, ...more });
    const resources = { memoryBytes: 2 ** 30, threads: 1, timeoutSeconds };
    const context = { ...testContext({ QUARRY_GENERATOR_API_KEY: key }), resources };
    return open(protocol, { url: server.url, model: 'test-model' }, context);
  };

  test('streams the pieces as they are written, with the whole conversation as its protocol has it', async () => {
    const from = await start();
    const { got, error } = await written(from);
    expect(error).toBeUndefined();
    expect(got.join('')).toBe(pieces.join(''));
    expect(got.length).toBeGreaterThan(1);
    expect(server.calls[0]).toMatchObject({ model: 'test-model', messages });
  });

  test('hands each piece over before the next is written', async () => {
    const taken = pieces.map(() => Promise.withResolvers<void>());
    const from = await start({ afterPiece: (count: number) => taken[count - 1]?.promise });
    const got: string[] = [];
    for await (const piece of from.generate(messages, bounds)) {
      got.push(piece);
      taken[got.length - 1]?.resolve();
    }
    expect(got).toEqual(pieces);
  });

  test('waits for slow pieces, however long all of them take together', async () => {
    const slowly = pieces.flatMap((piece) => [...piece]);
    const from = await start({ write: () => slowly, afterPiece: () => pause(75) }, 2);
    expect((await written(from)).got.join('')).toBe(slowly.join(''));
  });

  test('ends the call when it is left early, and can be asked again', async () => {
    const held = [never];
    const from = await start({ afterPiece: () => held.pop() });
    for await (const _ of from.generate(messages, bounds)) break;
    await expect.poll(() => server.left()).toBe(1);
    expect((await written(from)).got.join('')).toBe(pieces.join(''));
  });

  test('stops when its signal is aborted', async () => {
    const from = await start({ afterPiece: () => never });
    const controller = new AbortController();
    const got: string[] = [];
    const call = (async () => {
      for await (const piece of from.generate(messages, { ...bounds, signal: controller.signal })) {
        got.push(piece);
        controller.abort();
      }
    })();
    await expect(call).rejects.toMatchObject({ code: 'interrupted' });
    expect(got.length).toBeLessThan(pieces.length);
    await expect.poll(() => server.left()).toBe(1);
  });

  test.each<[string, ChatFault, object, had: boolean]>([
    ['a refused key', { kind: 'refused', status: 401 }, { code: 'provider-key' }, false],
    [
      'a limit',
      { kind: 'refused', status: 429, retryAfter: '7' },
      { code: 'provider-limited', retryAfter: 7000 },
      false,
    ],
    ['a failing server', { kind: 'refused', status: 500 }, { code: 'provider-unreachable' }, false],
    ['an overloaded server', { kind: 'refused', status: 503 }, { code: 'provider-unreachable' }, false],
    ['an unknown model', { kind: 'refused', status: 404 }, { code: 'provider-refused' }, false],
    [
      'a prompt that is too long',
      { kind: 'refused', status: 400, words: 'maximum context length is 4096 tokens' },
      { code: 'model-failed', remedy: expect.stringContaining('context.max_tokens') },
      false,
    ],
    ['a connection that is cut', { kind: 'cut' }, { code: 'provider-unreachable' }, true],
    [
      'a stream without its end',
      { kind: 'no-end' },
      { code: 'model-failed', message: expect.stringContaining('cut off') },
      true,
    ],
    ['an event that is not JSON', { kind: 'malformed' }, { code: 'model-failed' }, true],
    ['a failure in the midst', { kind: 'error-event' }, { code: 'model-failed' }, true],
    [
      'a page',
      { kind: 'page' },
      { code: 'model-failed', message: expect.stringContaining('not a stream') },
      false,
    ],
    ['silence', { kind: 'silent' }, { code: 'provider-unreachable' }, false],
    ['a stream that gets stuck', { kind: 'stuck' }, { code: 'provider-unreachable' }, true],
    [
      'a redirect',
      { kind: 'redirect', location: 'http://127.0.0.1:1/' },
      { code: 'provider-refused' },
      false,
    ],
  ])('reports %s, keeps what came before, and can be asked again', async (_, fault, expected, had) => {
    const isSilent = fault.kind === 'silent' || fault.kind === 'stuck';
    const from = await start({}, isSilent ? 1.5 : undefined);
    server.inject(fault);
    const { got, error } = await written(from);
    expect(error).toBeInstanceOf(QuarryError);
    expect(error).toMatchObject(expected);
    expect(error?.remedy).not.toBe('');
    expect(JSON.stringify([error?.message, error?.remedy])).not.toContain(key);
    expect(got.length > 0).toBe(had);
    expect((await written(from)).got.join('')).toBe(pieces.join(''));
  });

  test('asks for consent before it is opened and before each call, and sends nothing without it', async () => {
    const asked: string[] = [];
    let agreed = true;
    server = await startChatServer({ protocol, write: () => pieces });
    const context = {
      ...testContext(),
      requireConsent: async (address: URL) => {
        asked.push(address.origin);
        if (!agreed) throw new QuarryError('consent-missing', 'no', 'Agree.');
      },
    };
    const from = await open(protocol, { url: server.url, model: 'm' }, context);
    await written(from);
    agreed = false;
    expect((await written(from)).error?.code).toBe('consent-missing');
    expect(server.calls).toHaveLength(1);
    expect(asked.length).toBe(3);
  });

  test('needs a model, and refuses an address with a secret or without encryption', async () => {
    await expect(open(protocol, {})).rejects.toMatchObject({
      code: 'config-invalid',
      remedy: expect.stringContaining('generator.model'),
    });
    await expect(open(protocol, { model: 'm', url: 'https://user:pass@host/v1' })).rejects.toMatchObject({
      code: 'config-invalid',
    });
  });
});

describe("a provider's own address", () => {
  test.each([
    ['openai', 'OPENAI_API_KEY', 'https://api.openai.com/v1'],
    ['anthropic', 'ANTHROPIC_API_KEY', 'https://api.anthropic.com/v1'],
    ['gemini', 'GEMINI_API_KEY', 'https://generativelanguage.googleapis.com/v1beta'],
  ])('%s takes its key from %s, and no byte leaves without one', async (name, variable, address) => {
    const asked: string[] = [];
    const { facts } = await open(name, { model: 'm' }, testContext({ [variable]: 'k' }, asked));
    expect(facts).toMatchObject({ address, key: variable });
    expect(asked).toHaveLength(1);
    const without = await open(name, { model: 'm' }, testContext({ QUARRY_GENERATOR_API_KEY: 'other' }));
    expect((await written(without)).error).toMatchObject({
      code: 'provider-key',
      message: expect.stringContaining(variable),
    });
  });

  test("a provider's key goes to no other server", async () => {
    server = await startChatServer({ protocol: 'openai', write: () => pieces });
    const from = await open(
      'openai',
      { url: server.url, model: 'm' },
      testContext({ OPENAI_API_KEY: 'secret' }),
    );
    await written(from);
    expect(server.calls[0]?.headers.authorization).toBeUndefined();
  });
});

describe('a server on this machine', () => {
  test('is found at its usual port, with a model that writes', async () => {
    server = await startChatServer({
      protocol: 'openai',
      write: () => pieces,
      models: ['nomic-embed-text', 'llama3.2:3b'],
    });
    expect(
      await findLocalServers([
        ['nobody', 1],
        ['Ollama', server.port],
      ]),
    ).toEqual([{ name: 'Ollama', url: server.url, model: 'llama3.2:3b' }]);
    expect(server.calls).toHaveLength(0);
  });

  test('is none where something else listens, or nothing', async () => {
    server = await startChatServer({ protocol: 'openai', write: () => pieces, models: ['bge-small'] });
    expect(
      await findLocalServers([
        ['nobody', 1],
        ['only embeddings', server.port],
      ]),
    ).toEqual([]);
  });
});

test('a GGUF file needs its package, and says how to install it', async () => {
  await expect(open('gguf', { model: '/nowhere.gguf' })).rejects.toMatchObject({
    code: 'requirement-missing',
    remedy: 'Run: npm install node-llama-cpp',
  });
});
