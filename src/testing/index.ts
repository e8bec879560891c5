export { chunkEntries, documentRecord } from './documents.ts';
export { driverContext } from './driver-context.ts';
export { type EmbedderCheck, embedderConformance, type OpenEmbedder } from './embedder-conformance.ts';
export { type LeaseCheck, leaseConformance, type OpenLease } from './lease-conformance.ts';
export { type OpenReranker, type RerankerCheck, rerankerConformance } from './reranker-conformance.ts';
export {
  type OpenStore,
  type StoreCheck,
  storeCapabilityConformance,
  storeConformance,
} from './store-conformance.ts';
export { type VectorEngineCheck, vectorEngineConformance } from './vector-engine-conformance.ts';
