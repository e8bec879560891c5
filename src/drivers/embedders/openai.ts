import { z } from 'zod';
import { defineDriver } from '../../contracts/driver.ts';
import type { Embedder, EmbedderLimits } from '../../contracts/embedder.ts';
import { QuarryError } from '../../core/errors.ts';
import { checkedAddress, requireEncryption } from '../../platform/http/address.ts';
import { modelName } from '../../platform/http/model-name.ts';
import { maxAnswerBytes, rowsOfOpenAi, tooMuchIn } from './http/answers.ts';
import { embedTexts, type TextService } from './http/embed-texts.ts';
import { obtainAccess, openRemote, placeOf, remoteEmbedder, spaceName } from './http/remote.ts';
import { ownServerTokens, remoteOptions } from './http/remote-options.ts';

const provider = { origin: 'https://api.openai.com', variables: ['OPENAI_API_KEY'] };

const options = z.strictObject({
  /** Needed for every server but OpenAI's own. */
  model: modelName.optional(),
  url: z.string().default(`${provider.origin}/v1`),
  /** Tokens of the model's window, for a server that does not refuse longer text. */
  max_tokens: z.int().min(16).max(1_000_000).optional(),
  ...remoteOptions,
});

/**
 * Tokens of a model's window when nobody says: some servers cut longer text without an error, so that a server of
 * unknown make is trusted with no more than the smallest usual window.
 */
const defaultTokens = { provider: 8192, other: 510 };

export default defineDriver({
  name: 'openai',
  summary: 'OpenAI, or any server with its embeddings endpoint: Ollama, vLLM, LM Studio, llama.cpp.',
  options,
  requires: [],
  async open(settings, context): Promise<Embedder> {
    const { url, dimensions } = settings;
    const address = checkedAddress(url, 'embedder');
    // Reported before anything else that may be missing, since nothing else would help.
    requireEncryption(address, provider.origin, 'embedder');
    const isProvider = address.origin === provider.origin;
    const model = settings.model ?? (isProvider ? 'text-embedding-3-small' : undefined);
    if (model === undefined) throw modelMissing(address);
    const remote = await openRemote(await obtainAccess({ url, model, settings }, context, provider));
    const { service, connection, guard, tokenizer, prefixes, prefixTokens } = remote;
    const window = settings.max_tokens ?? (isProvider ? defaultTokens.provider : defaultTokens.other);
    const maxTokens = Math.max(1, window - prefixTokens);
    const limits = limitsOf(settings.concurrency ?? 4, isProvider, maxTokens);

    const request: TextService['request'] = async (texts, { signal }) => {
      const key = remote.key();
      const answer = await connection.send({
        method: 'POST',
        path: '/embeddings',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          ...(key ? { authorization: `Bearer ${key}` } : {}),
        },
        body: JSON.stringify({ model, input: texts, encoding_format: 'base64', dimensions }),
        maxBytes: maxAnswerBytes(texts.length),
        signal,
      });
      return tooMuchIn(answer, service) ?? guard.admit(rowsOfOpenAi(answer, texts.length, service));
    };

    return remoteEmbedder(remote, {
      fingerprint: spaceName(`openai:${placeOf(remote.address)}:${model}`, settings),
      limits: () => limits,
      maxTokens: () => maxTokens,
      load: async () => void remote.key(),
      embed: (texts, embedOptions) =>
        embedTexts({ limits, windowTokens: maxTokens, tokenizer, prefixes, request }, texts, embedOptions),
    });
  },
});

/**
 * OpenAI takes 2,048 texts and 300,000 tokens a request, of which a fifth is left for what its tokenizer counts
 * otherwise. Other servers state nothing: the pipeline finds what suits them, in calls that stay small in memory.
 */
function limitsOf(concurrency: number, isProvider: boolean, maxTokens: number): EmbedderLimits {
  return isProvider
    ? { batchTexts: 2048, batchTokens: 240_000, concurrency, gainsFromSize: false }
    : {
        batchTexts: 256,
        batchTokens: Math.max(ownServerTokens, maxTokens),
        concurrency,
        gainsFromSize: true,
      };
}

function modelMissing({ host }: URL): QuarryError {
  return new QuarryError(
    'config-invalid',
    `embedder.model is not set, and only OpenAI's own server has a model to fall back to; ${host} has not.`,
    'Set embedder.model to the name under which the server knows its model.',
  );
}
