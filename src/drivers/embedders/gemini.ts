import { z } from 'zod';
import { defineDriver } from '../../contracts/driver.ts';
import type { Embedder, EmbedderLimits } from '../../contracts/embedder.ts';
import { property } from '../../platform/http/json-property.ts';
import { modelName } from '../../platform/http/model-name.ts';
import { jsonOf, malformed } from '../../platform/http/read-json.ts';
import type { Service } from '../../platform/http/refusal.ts';
import { maxAnswerBytes, requireCount, tooMuchIn } from './http/answers.ts';
import { embedTexts, type TextService } from './http/embed-texts.ts';
import { obtainAccess, openRemote, remoteEmbedder, spaceName } from './http/remote.ts';
import { remoteOptions } from './http/remote-options.ts';
import { rowOfNumbers } from './http/rows.ts';

const provider = {
  origin: 'https://generativelanguage.googleapis.com',
  variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
};

/** Tokens of the model's window. */
const modelTokens = 2048;

/** Part of a window that is filled: the model counts otherwise than we do, and may cut what is too long without an error. */
const filledPart = 0.9;

/** A batch may hold a hundred texts, and a request four mebibytes, of which JSON takes its share. */
const batchLimits = { batchTexts: 100, batchBytes: 3_000_000 };

const taskTypes = { query: 'RETRIEVAL_QUERY', chunk: 'RETRIEVAL_DOCUMENT' } as const;

const options = z.strictObject({
  model: modelName.default('gemini-embedding-001'),
  url: z.string().default(`${provider.origin}/v1beta`),
  ...remoteOptions,
});

export default defineDriver({
  name: 'gemini',
  summary: 'Embedding models of the Gemini API, with a key in GEMINI_API_KEY.',
  options,
  requires: [],
  async open(settings, context): Promise<Embedder> {
    const model = settings.model.replace(/^models\//, '');
    const access = await obtainAccess({ url: settings.url, model, settings }, context, provider);
    const remote = await openRemote(access);
    const { service, connection, guard, tokenizer, prefixes, prefixTokens } = remote;
    const concurrency = settings.concurrency ?? 4;
    const limits: EmbedderLimits = { ...batchLimits, concurrency, gainsFromSize: false };

    const request: TextService['request'] = async (texts, { as, signal }) => {
      const key = remote.key();
      const answer = await connection.send({
        method: 'POST',
        path: `/models/${encodeURIComponent(model)}:batchEmbedContents`,
        headers: { 'content-type': 'application/json', ...(key ? { 'x-goog-api-key': key } : {}) },
        body: requestBody(texts, model, taskTypes[as], settings.dimensions),
        maxBytes: maxAnswerBytes(texts.length),
        signal,
      });
      return (
        tooMuchIn(answer, service) ?? guard.admit(rowsOf(jsonOf(answer, service), texts.length, service))
      );
    };

    const windowTokens = Math.max(1, Math.floor((modelTokens - prefixTokens) * filledPart));
    const textService: TextService = { limits, windowTokens, tokenizer, prefixes, request };
    return remoteEmbedder(remote, {
      fingerprint: spaceName(`gemini:${model}`, settings),
      limits: () => limits,
      maxTokens: () => Math.max(1, modelTokens - prefixTokens),
      load: async () => void remote.key(),
      embed: (texts, embedOptions) => embedTexts(textService, texts, embedOptions),
    });
  },
});

function requestBody(
  texts: readonly string[],
  model: string,
  taskType: string,
  outputDimensionality: number | undefined,
): string {
  return JSON.stringify({
    requests: texts.map((text) => ({
      model: `models/${model}`,
      content: { parts: [{ text }] },
      taskType,
      outputDimensionality,
    })),
  });
}

function rowsOf(body: unknown, count: number, service: Service): Float32Array[] {
  const embeddings = property(body, 'embeddings');
  if (!Array.isArray(embeddings)) throw malformed(service, 'it has no "embeddings"');
  requireCount(embeddings, count, service);
  return embeddings.map((embedding) => {
    const row = rowOfNumbers(property(embedding, 'values'));
    if (!row) throw malformed(service, 'a vector is not a list of numbers');
    return row;
  });
}
