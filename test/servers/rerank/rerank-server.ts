import { z } from 'zod';
import type { EmbeddingServer } from '../embedding/embedding-server.ts';
import type { Fault } from '../embedding/fault.ts';
import {
  jsonBody,
  type ReceivedCall,
  type Reply,
  startLoopbackServer,
} from '../embedding/loopback-server.ts';
import { serverTokens } from '../embedding/word-vector.ts';

/** Options of a reranking service for tests. */
export interface RerankServerOptions {
  readonly protocol: 'cohere' | 'jina' | 'tei';
  readonly model?: string;
  /** The one key it accepts; without it no key is needed. */
  readonly key?: string;
  /** Maximum chunks in one call. */
  readonly maxChunks?: number;
}

const withDocuments = z.object({
  model: z.string().min(1),
  query: z.string().min(1),
  documents: z.array(z.string().min(1)).min(1),
  top_n: z.int().min(1).optional(),
  return_documents: z.boolean().optional(),
});
const withTexts = z.strictObject({
  query: z.string().min(1),
  texts: z.array(z.string().min(1)).min(1),
  raw_scores: z.boolean().optional(),
  return_text: z.boolean().optional(),
  truncate: z.boolean().optional(),
});

interface Result {
  readonly index: number;
  readonly score: number | null;
}

/** Starts a service that scores chunks by the words they share with the query, best first. */
export function startRerankServer(options: RerankServerOptions): Promise<EmbeddingServer> {
  const { protocol, model = 'test-reranker', key, maxChunks = protocol === 'tei' ? 32 : 1000 } = options;
  const refuse = (status: number, words: string, headers: Record<string, string> = {}): Reply => ({
    status,
    headers,
    body: protocol === 'tei' ? { error: words, error_type: 'Validation' } : { message: words },
  });

  const answer = (call: ReceivedCall, fault: Fault | undefined): Reply => {
    if (call.method !== 'POST' || !call.path.endsWith('/rerank')) return refuse(404, 'not found');
    if (key !== undefined && call.headers.authorization !== `Bearer ${key}`) return refuse(401, 'no key');
    const asked = readRequest(protocol, jsonBody(call));
    if (!asked) return refuse(422, 'Failed to deserialize the JSON body');
    if (asked.model !== undefined && asked.model !== model)
      return refuse(404, `model ${asked.model} not found`);
    if (asked.chunks.length > maxChunks) {
      return refuse(413, `batch size ${asked.chunks.length} > maximum allowed batch size ${maxChunks}`);
    }
    const scored = asked.chunks
      .map((chunk, index): Result => ({ index, score: sharedWords(asked.query, chunk) }))
      .sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
    return { status: 200, body: shaped(protocol, spoiled(scored, fault), fault) };
  };

  return startLoopbackServer(
    {
      isEmbedding: ({ path }) => path.endsWith('/rerank'),
      answer,
      refuse: (fault) => refusalFor(fault, refuse),
    },
    protocol === 'cohere' ? '/v2' : protocol === 'jina' ? '/v1' : '',
  );
}

interface Asked {
  readonly query: string;
  readonly chunks: readonly string[];
  readonly model?: string;
}

function readRequest(protocol: RerankServerOptions['protocol'], body: unknown): Asked | undefined {
  if (protocol === 'tei') {
    const { data } = withTexts.safeParse(body);
    return data && { query: data.query, chunks: data.texts };
  }
  const { data } = withDocuments.safeParse(body);
  return data && { query: data.query, chunks: data.documents, model: data.model };
}

/** Share of the query's words that the chunk has, from 0 to 1. */
function sharedWords(query: string, chunk: string): number {
  const words = new Set(serverTokens(query));
  const found = new Set(serverTokens(chunk).filter((word) => words.has(word)));
  return words.size === 0 ? 0 : found.size / words.size;
}

function spoiled(results: readonly Result[], fault: Fault | undefined): readonly Result[] {
  switch (fault?.kind) {
    case 'wrong-count':
      return results.slice(0, -1);
    case 'repeated-index':
      return results.map((result) => ({ ...result, index: 0 }));
    case 'index-out-of-range':
      return results.map((result) => ({ ...result, index: result.index + 1 }));
    case 'not-a-number':
      return results.map((result) => ({ ...result, score: null }));
    default:
      return results;
  }
}

function shaped(
  protocol: RerankServerOptions['protocol'],
  results: readonly Result[],
  fault: Fault | undefined,
): unknown {
  if (fault?.kind === 'wrong-shape') return { ranking: 'later' };
  if (protocol === 'tei') return results;
  return { id: 'x', results: results.map(({ index, score }) => ({ index, relevance_score: score })) };
}

function refusalFor(
  fault: Fault,
  refuse: (status: number, words: string, headers?: Record<string, string>) => Reply,
): Reply | undefined {
  const after = (seconds: string | undefined): Record<string, string> =>
    seconds === undefined ? {} : { 'retry-after': seconds };
  switch (fault.kind) {
    case 'key-refused':
      return refuse(401, 'invalid api token');
    case 'model-unknown':
      return refuse(404, 'model not found');
    case 'call-too-large':
      return refuse(413, 'batch size 64 > maximum allowed batch size 32');
    case 'text-refused':
      return refuse(400, fault.words);
    case 'limited':
      return refuse(429, 'too many requests', after(fault.retryAfter));
    case 'failing':
      return refuse(fault.status, 'the server had an error', after(fault.retryAfter));
    default:
      return undefined;
  }
}
