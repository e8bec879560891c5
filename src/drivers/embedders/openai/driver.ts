import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { defineDriver } from '../../../contracts/driver.ts';
import type { Embedder, EmbedderLimits } from '../../../contracts/embedder.ts';
import { QuarryError } from '../../../core/errors.ts';
import { checkedAddress, requireEncryption } from '../../http/address.ts';
import { bundledModel } from '../../models/catalogue.ts';
import { obtainAccess, openRemote, type Remote, type RemoteParts, remoteEmbedder } from '../http/remote.ts';
import { modelName, remoteOptions } from '../http/remote-options.ts';
import { placeOf, spaceName } from '../http/space-name.ts';
import { createEngine, type EngineSettings } from './engine.ts';
import { createThreadPool } from './thread-pool.ts';
import { rowsOfBlock } from './vector-block.ts';

const provider = { origin: 'https://api.openai.com', variables: ['OPENAI_API_KEY'] };

const options = z.strictObject({
  /** Needed for every server but OpenAI's own. */
  model: modelName.optional(),
  url: z.string().default(`${provider.origin}/v1`),
  /** Tokens that the model takes in, for a server that does not refuse longer text. */
  max_tokens: z.int().min(16).max(1_000_000).optional(),
  /** What travels: texts, or the numbers of their word pieces for servers of uncased BERT models. */
  send: z.enum(['text', 'tokens']).default('text'),
  /** Whether answers, and requests of tokens, may be raw numbers instead of JSON. */
  binary: z.boolean().default(false),
  /** Threads that make the calls: for tokens half of the cores, at most 4; for text none, unless it is set. */
  threads: z.int().min(1).max(64).optional(),
  ...remoteOptions,
});

/** Four keep a GPU of the fastest kind busy; six were measured to be no faster. */
const mostUsualThreads = 4;

const usualCalls = 4;

/** Most tokens in a call to a server of one's own: a fast GPU gained 1 % over half of it, and memory grows with it. */
const ownServerTokens = 131_072;

export default defineDriver({
  name: 'openai',
  summary: 'OpenAI, or any server with its embeddings endpoint: Ollama, vLLM, LM Studio, llama.cpp.',
  options,
  requires: [],
  async open(settings, context): Promise<Embedder> {
    const { url, send, binary } = settings;
    const address = checkedAddress(url, 'embedder');
    // Told before anything else that may be missing, since nothing else would help.
    requireEncryption(address, provider.origin, 'embedder');
    const isProvider = address.origin === provider.origin;
    const model = settings.model ?? (isProvider ? 'text-embedding-3-small' : undefined);
    if (model === undefined) throw modelMissing(url);
    const access = await obtainAccess({ url, model, settings }, context, provider);
    const remote = await openRemote(access);
    const threads = threadsOf(settings);
    const maxTokens = Math.max(
      1,
      (settings.max_tokens ?? usualTokens(send, isProvider)) - remote.prefixTokens,
    );
    const limits = limitsOf(settings, { isProvider, threads, maxTokens });
    const engineSettings = { access, limits, maxTokens, send, binary };
    const calls =
      threads > 0 ? callsInThreads(remote, engineSettings, threads) : callsHere(remote, engineSettings);
    return remoteEmbedder(remote, {
      fingerprint: spaceName(`openai:${placeOf(remote.address)}:${model}`, settings),
      facts: {
        sends: send,
        answers: binary ? 'binary' : 'json',
        ...(threads > 0 ? { threads: `up to ${threads}` } : {}),
      },
      limits: () => limits,
      maxTokens: () => maxTokens,
      ...calls,
    });
  },
});

type Calls = Pick<RemoteParts, 'load' | 'embed' | 'close'>;

function callsHere(remote: Remote, settings: EngineSettings): Calls {
  const engine = createEngine(remote, settings);
  return {
    load: async () => void remote.key(),
    embed: (texts, embedOptions) => engine.embed(texts, embedOptions, remote.guard),
  };
}

function callsInThreads(remote: Remote, settings: EngineSettings, threads: number): Calls {
  const { guard } = remote;
  const pool = createThreadPool(settings, threads);
  let loading: Promise<unknown> | undefined;
  return {
    async load() {
      remote.key();
      // Several at once wait for the same thread: a second one is for work, not for getting ready.
      loading ??= pool.call({ texts: [], as: 'chunk', dimensions: undefined }).finally(() => {
        loading = undefined;
      });
      await loading;
    },
    async embed(texts, { as, signal }) {
      // A key that is missing is told without the detour.
      remote.key();
      const block = await pool.call({ texts, as, dimensions: guard.dimensions }, { signal });
      guard.admitLength(block.dimensions);
      return rowsOfBlock(block);
    },
    close: () => pool.close(),
  };
}

/** Threads that make the calls; none where the process makes them itself. */
function threadsOf({ send, threads }: z.output<typeof options>): number {
  if (threads !== undefined || send === 'text') return threads ?? 0;
  return Math.min(mostUsualThreads, Math.max(1, Math.floor(availableParallelism() / 2)));
}

/**
 * OpenAI takes 2,048 texts and 300,000 tokens a request, of which a fifth is left for what its tokenizer counts
 * otherwise. Other servers state nothing: the pipeline finds what suits them, in calls that stay small in memory.
 */
function limitsOf(
  { concurrency, send }: z.output<typeof options>,
  { isProvider, threads, maxTokens }: { isProvider: boolean; threads: number; maxTokens: number },
): EmbedderLimits {
  if (isProvider) {
    return {
      batchTexts: 2048,
      batchTokens: 240_000,
      concurrency: concurrency ?? usualCalls,
      gainsFromSize: false,
    };
  }
  return {
    batchTexts: send === 'tokens' ? 8192 : 256,
    batchTokens: Math.max(ownServerTokens, maxTokens),
    // Each thread has one call at the server and one in its own hands.
    concurrency: concurrency ?? Math.max(usualCalls, 2 * threads),
    gainsFromSize: true,
  };
}

/**
 * What a model takes in when nobody says: some servers cut longer text unsaid, so that a server of unknown make is
 * trusted with no more than the smallest usual window.
 */
function usualTokens(send: 'text' | 'tokens', isProvider: boolean): number {
  if (isProvider) return 8192;
  return send === 'tokens' ? bundledModel.windowTokens - 2 : 510;
}

function modelMissing(url: string): QuarryError {
  return new QuarryError(
    'config-invalid',
    `embedder.model is not set, and only OpenAI's own server has a model to fall back to; ${checkedAddress(url, 'embedder').host} has not.`,
    'Set embedder.model to the name under which the server knows its model.',
  );
}
