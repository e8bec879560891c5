export { angleVector, chunkEntries, documentRecord, manifestEntry, unitVector } from './documents.ts';
export { type OpenStore, type StoreCheck, storeConformance } from './store-conformance.ts';
export { temporaryFolder, writeFiles } from './temporary-folder.ts';
