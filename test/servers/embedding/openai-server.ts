import { z } from 'zod';
import type { EmbeddingServer } from './embedding-server.ts';
import { type Fault, spoiled } from './fault.ts';
import { jsonBody, type ReceivedCall, type Reply, startLoopbackServer } from './loopback-server.ts';
import { vectorBytes } from './vector-bytes.ts';
import { hashedVector, serverTokens } from './word-vector.ts';

/** Options of an OpenAI-compatible service for tests. */
export interface OpenAiServerOptions {
  readonly model?: string;
  /** The one key it accepts; without it no key is needed. */
  readonly key?: string;
  readonly dimensions?: number;
  /** Maximum tokens of a text; more is an error. */
  readonly maxTokens?: number;
  /** Always answers with lists of numbers, as many compatible servers do. */
  readonly ignoresBase64?: boolean;
}

const embeddingRequest = z.object({
  model: z.string(),
  input: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(2048)]),
  encoding_format: z.enum(['float', 'base64']).default('float'),
  dimensions: z.int().min(1).optional(),
});

const maxTokensInCall = 300_000;

/** The content of a call. */
interface Asked {
  readonly model: string;
  readonly texts: readonly string[];
  readonly format: 'float' | 'base64';
  readonly dimensions: number | undefined;
}

/** Starts a service that speaks OpenAI's `/embeddings`. */
export function startOpenAiServer(options: OpenAiServerOptions = {}): Promise<EmbeddingServer> {
  const { model = 'test-embedding', key, dimensions = 96, maxTokens = 8192, ignoresBase64 } = options;

  const answer = (call: ReceivedCall, fault: Fault | undefined): Reply => {
    if (call.method !== 'POST' || call.path !== '/v1/embeddings') return refusal(404, 'Unknown request URL');
    const given = call.headers.authorization;
    if (key !== undefined && given !== `Bearer ${key}`) return badKey(given);
    const asked = readRequest(call);
    if (!('texts' in asked)) return asked;
    if (asked.model !== model) return modelUnknown(asked.model);
    const tokens = asked.texts.map(serverTokens);
    const longest = Math.max(...tokens.map((row) => row.length));
    if (longest > maxTokens) {
      return refusal(
        400,
        `This model's maximum context length is ${maxTokens} tokens, however you requested ${longest}.`,
      );
    }
    const total = tokens.reduce((sum, row) => sum + row.length, 0);
    if (total > maxTokensInCall) {
      return refusal(
        400,
        `Requested ${total} tokens, max ${maxTokensInCall} tokens per request`,
        'max_tokens_per_request',
      );
    }
    const made = tokens.map((row) => hashedVector(row, asked.dimensions ?? dimensions));
    const vectors = spoiled(made, fault);
    return jsonReply(vectors, model, ignoresBase64 ? 'float' : asked.format, fault);
  };

  return startLoopbackServer({ isEmbedding: ({ path }) => path === '/v1/embeddings', answer, refuse }, '/v1');
}

function readRequest(call: ReceivedCall): Asked | Reply {
  const type = call.headers['content-type'] ?? '';
  if (!type.startsWith('application/json')) return refusal(415, `Unsupported content-type ${type}`);
  const parsed = embeddingRequest.safeParse(jsonBody(call));
  if (!parsed.success) return refusal(400, "'$.input' is invalid.");
  const { model, input, encoding_format: format, dimensions } = parsed.data;
  return { model, texts: typeof input === 'string' ? [input] : input, format, dimensions };
}

function jsonReply(
  vectors: readonly Float32Array[],
  model: string,
  format: 'float' | 'base64',
  fault: Fault | undefined,
): Reply {
  const data = vectors.map((vector, index) => ({
    object: 'embedding',
    index: fault?.kind === 'repeated-index' ? 0 : index,
    embedding: format === 'base64' ? vectorBytes(vector).toString('base64') : [...vector],
  }));
  if (fault?.kind === 'shuffled') data.reverse();
  return { status: 200, body: { object: 'list', data, model, usage: { prompt_tokens: 1, total_tokens: 1 } } };
}

function refuse(fault: Fault): Reply | undefined {
  switch (fault.kind) {
    case 'key-refused':
      return badKey('Bearer sk-0000');
    case 'model-unknown':
      return modelUnknown('x');
    case 'call-too-large':
      return refusal(400, 'Requested 453357 tokens, max 300000 tokens per request', 'max_tokens_per_request');
    case 'text-refused':
      return refusal(400, fault.words);
    case 'limited':
      return {
        ...refusal(429, 'Rate limit reached', 'rate_limit_exceeded'),
        headers: after(fault.retryAfter),
      };
    case 'failing':
      return { ...refusal(fault.status, 'The server had an error'), headers: after(fault.retryAfter) };
    default:
      return undefined;
  }
}

function after(value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { 'retry-after': value };
}

function refusal(status: number, message: string, code: string | null = null): Reply {
  return { status, body: { error: { message, type: 'invalid_request_error', param: null, code } } };
}

function badKey(given: string | undefined): Reply {
  return refusal(401, `Incorrect API key provided: ${given ?? 'none'}.`, 'invalid_api_key');
}

function modelUnknown(model: string): Reply {
  return refusal(
    404,
    `The model \`${model}\` does not exist or you do not have access to it.`,
    'model_not_found',
  );
}
