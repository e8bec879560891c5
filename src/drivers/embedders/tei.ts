import { z } from 'zod';
import { defineDriver } from '../../contracts/driver.ts';
import type { Embedder, EmbedderLimits } from '../../contracts/embedder.ts';
import { QuarryError } from '../../core/errors.ts';
import { unlessAborted } from '../../platform/abort.ts';
import { modelName } from '../../platform/http/model-name.ts';
import { oneLine } from '../../platform/http/one-line.ts';
import { jsonOf, malformed } from '../../platform/http/read-json.ts';
import { refusalOf, type Service } from '../../platform/http/refusal.ts';
import { once } from '../../platform/once.ts';
import { maxAnswerBytes, requireCount, tooMuchIn } from './http/answers.ts';
import { embedTexts, type TextService } from './http/embed-texts.ts';
import {
  type Access,
  obtainAccess,
  openRemote,
  type Remote,
  remoteEmbedder,
  spaceName,
} from './http/remote.ts';
import { remoteOptions } from './http/remote-options.ts';
import { rowOfNumbers } from './http/rows.ts';

const options = z.strictObject({
  /** Must be what the server says it serves; without it that is taken. */
  model: modelName.optional(),
  url: z.string(),
  ...remoteOptions,
});

/** The part of `/info` that decides how the server may be called. */
const serverInfo = z.object({
  model_id: z.string(),
  model_type: z.unknown(),
  max_input_length: z.int().min(3),
  max_batch_tokens: z.int().min(3).optional(),
  max_client_batch_size: z.int().min(1).optional(),
  max_concurrent_requests: z.int().min(1).optional(),
});

/** What the server does by default; used until it has stated its limits. */
const defaultInfo: z.output<typeof serverInfo> = {
  model_id: '',
  model_type: undefined,
  max_input_length: 512,
  max_batch_tokens: 16_384,
  max_client_batch_size: 32,
  max_concurrent_requests: 512,
};

/** Seconds that a server may take to say which model it serves: a search waits for it. */
const maxIntroductionLength = 10;

/** The tokens that the model's own tokenizer puts around a text. */
const specialTokens = 2;

export default defineDriver({
  name: 'tei',
  summary: 'A server of Hugging Face Text Embeddings Inference, which states its model and limits itself.',
  options,
  requires: [],
  async open(settings, context): Promise<Embedder> {
    const { url, dimensions } = settings;
    const agreed = await obtainAccess({ url, model: settings.model ?? '', settings }, context);
    const model = settings.model ?? (await servedModel(agreed));
    const remote = await openRemote({ ...agreed, service: { ...agreed.service, model } });
    const { service, connection, guard, tokenizer, prefixes, prefixTokens } = remote;
    let info = defaultInfo;
    const ready = once(async () => {
      info = await readInfo(remote);
    });
    const limits = (): EmbedderLimits => limitsOf(info, settings.concurrency);
    // A text with more tokens than one batch of the server may hold would wait there for ever.
    const maxTokens = (): number =>
      Math.max(
        1,
        Math.min(info.max_input_length, info.max_batch_tokens ?? Number.POSITIVE_INFINITY) -
          specialTokens -
          prefixTokens,
      );

    const request: TextService['request'] = async (texts, { signal }) => {
      const answer = await connection.send({
        method: 'POST',
        path: '/embed',
        headers: { 'content-type': 'application/json', ...authorization(remote) },
        body: JSON.stringify({ inputs: texts, normalize: true, truncate: false, dimensions }),
        maxBytes: maxAnswerBytes(texts.length),
        signal,
      });
      return (
        tooMuchIn(answer, service) ?? guard.admit(rowsOf(jsonOf(answer, service), texts.length, service))
      );
    };

    return remoteEmbedder(remote, {
      // A name that is a path says nothing of the model outside its own server.
      fingerprint: spaceName(`tei:${/^[./]/.test(model) ? `${remote.address.host}:` : ''}${model}`, settings),
      limits,
      maxTokens,
      load: ready,
      async embed(texts, embedOptions) {
        await unlessAborted(ready, embedOptions.signal);
        const textService = { limits: limits(), windowTokens: maxTokens(), tokenizer, prefixes, request };
        return embedTexts(textService, texts, embedOptions);
      },
    });
  },
});

function authorization(remote: Remote): Record<string, string> {
  const key = remote.key();
  return key ? { authorization: `Bearer ${key}` } : {};
}

function limitsOf(info: z.output<typeof serverInfo>, concurrency: number | undefined): EmbedderLimits {
  const max = info.max_concurrent_requests ?? 8;
  return {
    batchTexts: info.max_client_batch_size ?? 32,
    ...(info.max_batch_tokens === undefined ? {} : { batchTokens: info.max_batch_tokens }),
    concurrency: Math.min(concurrency ?? 8, max),
    gainsFromSize: true,
  };
}

/** Asks the server what it serves; a server with another model would answer with vectors of another space. */
async function readInfo(remote: Remote): Promise<z.output<typeof serverInfo>> {
  const { service, connection } = remote;
  const answer = await connection.send({
    method: 'GET',
    path: '/info',
    headers: authorization(remote),
    maxBytes: maxAnswerBytes(1),
  });
  if (answer.status < 200 || answer.status > 299) throw refusalOf(answer, service).error;
  const parsed = serverInfo.safeParse(jsonOf(answer, service));
  if (!parsed.success) throw malformed(service, '/info does not state the model and its limits', answer);
  const { model_id: served, model_type: kind } = parsed.data;
  if (service.model !== '' && served !== service.model) throw otherModel(service, served);
  if (typeof kind === 'object' && kind !== null && !('embedding' in kind)) throw noEmbeddings(service);
  return parsed.data;
}

/** The model of the server: its name is part of the vector space, so it must be known before anything is embedded. */
async function servedModel(access: Access): Promise<string> {
  const timeoutSeconds = Math.min(access.timeoutSeconds, maxIntroductionLength);
  const remote = await openRemote({ ...access, timeoutSeconds });
  try {
    const { model_id: served } = await readInfo(remote);
    const name = modelName.safeParse(served);
    if (!name.success) throw malformed(remote.service, '/info names no model');
    return name.data;
  } finally {
    remote.connection.close();
  }
}

function rowsOf(body: unknown, count: number, service: Service): Float32Array[] {
  if (!Array.isArray(body)) throw malformed(service, 'it is not a list of vectors');
  requireCount(body, count, service);
  return body.map((values) => {
    const row = rowOfNumbers(values);
    if (!row) throw malformed(service, 'a vector is not a list of numbers');
    return row;
  });
}

function otherModel({ host, model }: Service, served: string): QuarryError {
  return new QuarryError(
    'provider-refused',
    `${host} serves the model "${oneLine(served)}", not "${model}".`,
    `Set embedder.model to "${oneLine(served)}", or embedder.url to a server of "${model}".`,
  );
}

function noEmbeddings({ host, model }: Service): QuarryError {
  return new QuarryError(
    'provider-refused',
    `${host} serves "${model}" for another purpose than embedding.`,
    'Set embedder.url to a server of an embedding model.',
  );
}
