/** Where a setting of an earlier tool lives here, and how its value is read. */
export interface LegacyName {
  readonly key: string;
  /** Settings that choosing this one implies. */
  readonly implies?: Readonly<Record<string, unknown>>;
}

/** Names of the `[rag]` and `[rag.vector_store]` tables, as existing projects have them. */
export const legacyKeys: Readonly<Record<string, LegacyName>> = {
  'rag.enabled': { key: 'enabled' },
  'rag.embedding_provider': { key: 'embedder.driver' },
  // Sizes there are in characters: naming one asks for the sizes `characters`.
  'rag.chunk_size': { key: 'chunking.by_characters.size', implies: { 'chunking.sizes': 'characters' } },
  'rag.chunk_overlap': { key: 'chunking.by_characters.overlap', implies: { 'chunking.sizes': 'characters' } },
  'rag.auto_index_on_load': { key: 'index.on_search' },
  'rag.auto_sync_interval_seconds': { key: 'watch.interval_seconds' },
  'rag.top_k': { key: 'search.top_k' },
  'rag.vector_store.provider': { key: 'store.driver' },
  'rag.vector_store.collection_name': { key: 'store.collection' },
  'rag.vector_store.url': { key: 'store.url' },
  'rag.vector_store.api_key': { key: 'store.api_key' },
  'rag.vector_store.mcp_server': { key: 'store.mcp.server' },
  'rag.vector_store.mcp_tool': { key: 'store.mcp.tool' },
};

/** Variables of the environment that existing set-ups use. */
export const legacyVariables: Readonly<Record<string, string>> = {
  AGENTOS_RAG_THRESHOLD: 'search.threshold',
  AGENTOS_RAG_MODEL: 'embedder.model',
};

/** The store that the `provider` of an existing table means: "chroma" without an address is an engine in the folder, as ours is. */
export function providerDriver(provider: unknown, url: unknown): unknown {
  return provider === 'chroma' && (url === undefined || url === '') ? 'sqlite' : provider;
}
