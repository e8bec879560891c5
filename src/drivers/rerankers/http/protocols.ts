import type { KeyedProvider } from '../../../platform/http/credentials.ts';
import { property } from '../../../platform/http/json-property.ts';

/** The ways in which servers are asked to rerank. */
export const protocolNames = ['cohere', 'jina', 'tei'] as const;

/** One of them. */
export type ProtocolName = (typeof protocolNames)[number];

/** How one kind of server is asked, and where its answer has what is wanted. */
export interface RerankProtocol {
  readonly summary: string;
  /** The provider whose own address and key are used where the settings name no address. */
  readonly provider?: KeyedProvider & { readonly url: string; readonly model: string };
  /** Most chunks in one call. */
  readonly batchChunks: number;
  body(query: string, chunks: readonly string[], model: string): object;
  /** The list of results in an answer. */
  results(answer: unknown): unknown;
  /** The score in a result. */
  score(result: unknown): unknown;
}

const withDocuments: Pick<RerankProtocol, 'results' | 'score'> = {
  results: (answer) => property(answer, 'results'),
  score: (result) => property(result, 'relevance_score'),
};

/** The protocols by the name used in `reranker.driver`. All of them answer at `/rerank` below their address. */
export const protocols: Readonly<Record<ProtocolName, RerankProtocol>> = {
  cohere: {
    summary: 'Cohere, and servers that are asked in the same way.',
    provider: {
      origin: 'https://api.cohere.com',
      url: 'https://api.cohere.com/v2',
      model: 'rerank-v3.5',
      variables: ['COHERE_API_KEY', 'CO_API_KEY'],
    },
    // Its documents advise against more than a thousand.
    batchChunks: 1000,
    body: (query, documents, model) => ({ model, query, documents, top_n: documents.length }),
    ...withDocuments,
  },
  jina: {
    summary: 'Jina, and servers that are asked in the same way.',
    provider: {
      origin: 'https://api.jina.ai',
      url: 'https://api.jina.ai/v1',
      model: 'jina-reranker-v2-base-multilingual',
      variables: ['JINA_API_KEY'],
    },
    batchChunks: 1000,
    body: (query, documents, model) => ({
      model,
      query,
      documents,
      top_n: documents.length,
      return_documents: false,
    }),
    ...withDocuments,
  },
  tei: {
    summary: 'A server of Text Embeddings Inference with a reranking model.',
    // What the server takes by default.
    batchChunks: 32,
    body: (query, texts) => ({ query, texts, raw_scores: false, return_text: false, truncate: true }),
    results: (answer) => answer,
    score: (result) => property(result, 'score'),
  },
};
