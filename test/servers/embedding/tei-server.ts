import { z } from 'zod';
import type { EmbeddingServer } from './embedding-server.ts';
import { type Fault, spoiled } from './fault.ts';
import { jsonBody, type ReceivedCall, type Reply, startLoopbackServer } from './loopback-server.ts';
import { hashedVector, serverTokens } from './word-vector.ts';

/** Options of a Text Embeddings Inference service for tests. */
export interface TeiServerOptions {
  readonly model?: string;
  /** The one key it accepts; without it no key is needed. */
  readonly key?: string;
  readonly dimensions?: number;
  /** Changes to the answer of `/info`, read at each call; its limits are enforced. */
  readonly info?: Readonly<Record<string, unknown>>;
  /** Tokens per word on this service; more than one makes it count more than its caller. */
  readonly tokensPerWord?: number;
}

const embedRequest = z.object({
  inputs: z.union([z.string(), z.array(z.string())]),
  normalize: z.boolean().default(true),
  truncate: z.boolean().default(false),
  dimensions: z.int().min(1).optional(),
});

/** Status of each kind of error. */
const statuses = {
  Validation: 413,
  Overloaded: 429,
  Backend: 424,
  Unhealthy: 503,
  Tokenizer: 422,
  Empty: 400,
};

/** Starts a service that speaks `/info` and `/embed` of Text Embeddings Inference. */
export function startTeiServer(options: TeiServerOptions = {}): Promise<EmbeddingServer> {
  const { model = 'BAAI/bge-small-en-v1.5', key, dimensions = 96, tokensPerWord = 1 } = options;
  const infoNow = () => ({
    model_id: model,
    model_sha: null,
    model_dtype: 'float16',
    model_type: { embedding: { pooling: 'cls' } },
    max_concurrent_requests: 512,
    max_input_length: 512,
    max_batch_tokens: 16_384,
    max_batch_requests: null,
    max_client_batch_size: 32,
    tokenization_workers: 2,
    version: '1.8.2',
    ...options.info,
  });

  const embed = (call: ReceivedCall, fault: Fault | undefined): Reply => {
    if (!call.headers['content-type']?.startsWith('application/json')) {
      return { status: 415, body: Buffer.from('Expected request with `Content-Type: application/json`') };
    }
    const parsed = embedRequest.safeParse(jsonBody(call));
    if (!parsed.success) return { status: 422, body: Buffer.from('Failed to deserialize the JSON body') };
    const { truncate } = parsed.data;
    const info = infoNow();
    const texts = [parsed.data.inputs].flat();
    if (texts.length === 0) return refusal('Empty', '`inputs` cannot be empty');
    if (texts.length > info.max_client_batch_size) {
      const max = info.max_client_batch_size;
      return refusal('Validation', `batch size ${texts.length} > maximum allowed batch size ${max}`);
    }
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      const tokens = serverTokens(text);
      const count = tokens.length * tokensPerWord + 2;
      if (text === '') return refusal('Validation', '`inputs` cannot be empty');
      if (count > info.max_input_length && !truncate) {
        const words = `\`inputs\` must have less than ${info.max_input_length} tokens. Given: ${count}`;
        return refusal('Validation', words);
      }
      vectors.push(hashedVector(tokens, parsed.data.dimensions ?? dimensions));
    }
    return { status: 200, body: spoiled(vectors, fault).map((vector) => [...vector]) };
  };

  return startLoopbackServer({
    isEmbedding: ({ path }) => path === '/embed',
    refuse,
    answer(call, fault) {
      if (key !== undefined && call.headers.authorization !== `Bearer ${key}`) {
        return { status: 401, body: Buffer.alloc(0) };
      }
      if (call.method === 'GET' && call.path === '/info') return { status: 200, body: infoNow() };
      return call.method === 'POST' && call.path === '/embed'
        ? embed(call, fault)
        : { status: 404, body: Buffer.alloc(0) };
    },
  });
}

function refuse(fault: Fault): Reply | undefined {
  switch (fault.kind) {
    case 'key-refused':
      return { status: 401, body: Buffer.alloc(0) };
    case 'model-unknown':
      return { status: 404, body: Buffer.alloc(0) };
    case 'call-too-large':
      return refusal('Validation', 'batch size 64 > maximum allowed batch size 32');
    case 'text-refused':
      return refusal('Tokenizer', fault.words);
    case 'limited':
      return refusal('Overloaded', 'Model is overloaded', fault.retryAfter);
    case 'failing':
      return { ...refusal('Backend', 'the device is lost', fault.retryAfter), status: fault.status };
    default:
      return undefined;
  }
}

function refusal(kind: keyof typeof statuses, error: string, retryAfter?: string): Reply {
  return {
    status: statuses[kind],
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    body: { error, error_type: kind },
  };
}
