export { type RetrievalOptions, retrievalMiddleware } from './retrieval-middleware.ts';
export { searchTool } from './search-tool.ts';
