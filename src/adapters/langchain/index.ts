export type { SearchToolOptions } from '../search-tool.ts';
export { QuarryEmbeddings } from './embeddings.ts';
export { QuarryLoader, type QuarryLoaderInput } from './loader.ts';
export { QuarryRetriever, type QuarryRetrieverInput } from './retriever.ts';
export { searchTool } from './search-tool.ts';
export { QuarryVectorStore, type QuarryVectorStoreInput } from './vector-store.ts';
