import { z } from 'zod';
import type { EmbeddingServer } from './embedding-server.ts';
import { type Fault, spoiled } from './fault.ts';
import { jsonBody, type ReceivedCall, type Reply, startLoopbackServer } from './loopback-server.ts';
import { hashedVector, serverTokens } from './word-vector.ts';

/** Options of a Gemini service for tests. */
export interface GeminiServerOptions {
  readonly model?: string;
  /** The one key it accepts; without it no key is needed. */
  readonly key?: string;
  readonly dimensions?: number;
  /** Tokens of a text that count; the rest is silently ignored, as by the real service. */
  readonly maxTokens?: number;
}

const batchRequest = z.object({
  requests: z
    .array(
      z.object({
        model: z.string(),
        content: z.object({ parts: z.array(z.object({ text: z.string().min(1) })).min(1) }),
        taskType: z.enum(['RETRIEVAL_QUERY', 'RETRIEVAL_DOCUMENT']).optional(),
        outputDimensionality: z.int().min(1).optional(),
      }),
    )
    .min(1),
});

const maxTexts = 100;
const maxBytes = 4_194_304;

/** Starts a service that speaks Gemini's `batchEmbedContents`. */
export function startGeminiServer(options: GeminiServerOptions = {}): Promise<EmbeddingServer> {
  const { model = 'gemini-embedding-001', key, dimensions = 96, maxTokens = 2048 } = options;
  const path = `/v1beta/models/${model}:batchEmbedContents`;

  const vectorOf = (text: string, taskType: string | undefined, length: number): Float32Array => {
    const tokens = serverTokens(text).slice(0, maxTokens);
    const vector = hashedVector(taskType === 'RETRIEVAL_QUERY' ? [...tokens, ' query'] : tokens, length);
    // Only vectors of the full length come with unit length.
    return length === dimensions ? vector : vector.map((value) => value * 0.7);
  };

  const answer = (call: ReceivedCall, fault: Fault | undefined): Reply => {
    if (call.method !== 'POST' || call.path !== path)
      return refusal(404, 'NOT_FOUND', `${call.path} is not found.`);
    const given = call.headers['x-goog-api-key'];
    if (key !== undefined && given === undefined)
      return refusal(403, 'PERMISSION_DENIED', 'Method needs a key.');
    if (key !== undefined && given !== key) return badKey(String(given));
    if (call.body.length > maxBytes)
      return tooLarge(`Request payload size exceeds the limit: ${maxBytes} bytes.`);
    const parsed = batchRequest.safeParse(jsonBody(call));
    if (!parsed.success) return refusal(400, 'INVALID_ARGUMENT', z.prettifyError(parsed.error));
    const { requests } = parsed.data;
    if (requests.length > maxTexts) {
      return tooLarge(
        `* BatchEmbedContentsRequest.requests: at most ${maxTexts} requests can be in one batch\n`,
      );
    }
    if (requests.some((request) => request.model !== `models/${model}`)) {
      return refusal(400, 'INVALID_ARGUMENT', 'The model of a request differs from the one in the path.');
    }
    const vectors = requests.map(({ content, taskType, outputDimensionality }) =>
      vectorOf(content.parts.map(({ text }) => text).join(''), taskType, outputDimensionality ?? dimensions),
    );
    return {
      status: 200,
      body: { embeddings: spoiled(vectors, fault).map((vector) => ({ values: [...vector] })) },
    };
  };

  return startLoopbackServer(
    { isEmbedding: ({ path: called }) => called.includes(':batchEmbedContents'), answer, refuse },
    '/v1beta',
  );
}

function refuse(fault: Fault): Reply | undefined {
  switch (fault.kind) {
    case 'key-refused':
      return badKey('');
    case 'model-unknown':
      return refusal(404, 'NOT_FOUND', 'models/x is not found for API version v1beta.');
    case 'call-too-large':
      return tooLarge('Request payload size exceeds the limit: 4194304 bytes.');
    case 'text-refused':
      return refusal(400, 'INVALID_ARGUMENT', fault.words);
    case 'limited':
      return fault.retryAfter === undefined
        ? refusal(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [
            { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37s' },
          ])
        : { ...refusal(429, 'RESOURCE_EXHAUSTED', 'Quota.'), headers: { 'retry-after': fault.retryAfter } };
    case 'failing':
      return {
        ...refusal(fault.status, 'UNAVAILABLE', 'The model is overloaded.'),
        headers: fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter },
      };
    default:
      return undefined;
  }
}

function refusal(code: number, status: string, message: string, details?: unknown): Reply {
  return { status: code, body: { error: { code, message, status, details } } };
}

function badKey(given: string): Reply {
  const reason = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' };
  return refusal(400, 'INVALID_ARGUMENT', `API key not valid: ${given}`, [reason]);
}

function tooLarge(message: string): Reply {
  return refusal(400, 'INVALID_ARGUMENT', message);
}
