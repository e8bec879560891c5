export { angleVector, chunkEntries, documentRecord, manifestEntry, unitVector } from './documents.ts';
export { driverContext } from './driver-context.ts';
export { type EmbedderCheck, embedderConformance, type OpenEmbedder } from './embedder-conformance.ts';
export type { EmbeddingServer, SeenCall } from './embedding-servers/embedding-server.ts';
export type { Fault } from './embedding-servers/fault.ts';
export { type GeminiServerOptions, startGeminiServer } from './embedding-servers/gemini-server.ts';
export { type OpenAiServerOptions, startOpenAiServer } from './embedding-servers/openai-server.ts';
export { startTeiServer, type TeiServerOptions } from './embedding-servers/tei-server.ts';
export { type RerankServerOptions, startRerankServer } from './rerank-servers/rerank-server.ts';
export { type OpenReranker, type RerankerCheck, rerankerConformance } from './reranker-conformance.ts';
export { createSimulatedDevice, type SimulatedDevice } from './simulated-device.ts';
export {
  type OpenStore,
  type StoreCheck,
  storeCapabilityConformance,
  storeConformance,
} from './store-conformance.ts';
export { temporaryFolder, writeFiles } from './temporary-folder.ts';
export { createVirtualClock } from './virtual-clock.ts';
