export type { ChunkDraft, Chunker, Chunking, ChunkLimits } from './contracts/chunker.ts';
export type { Driver, DriverContext } from './contracts/driver.ts';
export type { Embedder, EmbedderLimits, EmbeddingRole, EmbedOptions } from './contracts/embedder.ts';
export type { Extraction, Extractor, RawFile } from './contracts/extractor.ts';
export type { GenerateOptions, Generator, Message } from './contracts/generator.ts';
export type { Reranker, RerankOptions } from './contracts/reranker.ts';
export type { Source, SourceEntry, SourceFile } from './contracts/source.ts';
export type {
  ChunkEntry,
  ManifestEntry,
  MissingVector,
  SearchBounds,
  Store,
  StoreCounts,
  StoreMatch,
  VectorEntry,
} from './contracts/store.ts';
export type { Chunk, CodeSymbol, Span } from './core/chunk.ts';
export type { Document, DocumentRecord, Metadata, MetadataValue, Origin } from './core/document.ts';
export { type ErrorCode, errorCatalogue, QuarryError } from './core/errors.ts';
export type { IndexEvent, IndexSummary, SkippedPath, SkipReason } from './core/events.ts';
export type { Filter } from './core/filter.ts';
export type { Hit, StageTrace } from './core/hit.ts';
export type { VirtualDocument } from './indexing/virtual-documents.ts';
export type { SettingLayer, SettingOrigin } from './project/config.ts';
export { type OpenOptions, openProject } from './project/open-project.ts';
export type { Project, ProjectStatus, SearchOptions, SearchOutcome } from './project/project.ts';
export type { Settings } from './project/settings.ts';
