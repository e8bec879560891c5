export { searchTool } from '../langchain/search-tool.ts';
export type { SearchToolOptions } from '../search-tool.ts';
export {
  checkDependencies,
  type LibrarianOptions,
  type LibrarianState,
  type LibrarianUpdate,
  librarianNode,
  type ManualDocument,
  mergeContext,
  queryKnowledgeBase,
  type RetrievedDocument,
  storeExists,
} from './librarian.ts';
export { type LibrarianConfig, librarianConfig } from './librarian-config.ts';
