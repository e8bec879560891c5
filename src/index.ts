export { type RAGConfig, RAGEngine, type RAGResult } from './adapters/rag-engine.ts';
export type {
  CalleesOutcome,
  Certainty,
  CodeMention,
  CodeSymbolPlace,
  GraphOptions,
  OutlineEntry,
  OutlineOutcome,
  ProjectGraph,
  ReferencesOutcome,
  RelatedOutcome,
} from './calls/graph-outcomes.ts';
export type {
  AddedContent,
  AskOptions,
  CleanReport,
  ContextOptions,
  FreshenOptions,
  Freshness,
  IndexRepair,
  InjectOptions,
  ManifestListing,
  Project,
  ProjectIndexOptions,
  ProjectStatus,
  ReadOptions,
  SearchOptions,
  SearchOutcome,
  StatusOptions,
  VirtualDocument,
} from './calls/project.ts';
export type { ChunkDraft, Chunker, Chunking, ChunkLimits } from './contracts/chunker.ts';
export type { Driver, DriverContext } from './contracts/driver.ts';
export type { Embedder, EmbedderLimits, EmbeddingRole, EmbedOptions } from './contracts/embedder.ts';
export type { DatedPart, Extraction, Extractor, RawFile } from './contracts/extractor.ts';
export type { GenerateOptions, Generator, Message } from './contracts/generator.ts';
export type { Fences, KnownLease, LeaseRecord, LeaseState } from './contracts/leases.ts';
export type { ChunkScore, Reranker, RerankOptions } from './contracts/reranker.ts';
export type {
  ChangeHint,
  ScanOptions,
  Source,
  SourceEntry,
  SourceFile,
  SourceWatch,
} from './contracts/source.ts';
export type {
  Changes,
  ChunkEntry,
  ChunkRange,
  Committed,
  DocumentChange,
  IndexState,
  ManifestEntry,
  MissingVector,
  SearchBounds,
  SpaceState,
  Store,
  StoreDefect,
  StoreMatch,
  VectorEntry,
} from './contracts/store.ts';
export type { VectorCache, VectorCacheStats } from './contracts/vector-cache.ts';
export type {
  AnswerKind,
  AnswerOutcome,
  AnswerSource,
  CheckedSentence,
  DiskState,
  Verdict,
} from './core/answer.ts';
export type { Chunk, CodeSymbol, Span } from './core/chunk.ts';
export type {
  CodeDefinition,
  CodeImport,
  CodeReference,
  FileGraph,
  ReferenceKind,
} from './core/code-graph.ts';
export type {
  ContextBlock,
  ContextFormat,
  ContextOutcome,
  ContextSource,
  ContextText,
  TextSpan,
} from './core/context.ts';
export type { Document, DocumentRecord, Metadata, MetadataValue, Origin } from './core/document.ts';
export { type ErrorCode, errorCatalogue } from './core/error-catalogue.ts';
export { QuarryError } from './core/errors.ts';
export type {
  AnswerEvent,
  IndexEvent,
  PassReason,
  SkippedPath,
  SkipReason,
  WatchEvent,
} from './core/events.ts';
export type { Filter } from './core/filter.ts';
export type { FirstLook } from './core/first-look.ts';
export type { Hit, StageTrace, TextPlace } from './core/hit.ts';
export type { IndexSummary } from './core/index-summary.ts';
export type { Place, PlaceMark, PlaceMarks } from './core/place.ts';
export type { Definition, Reading } from './core/reading.ts';
export { citationOf } from './core/text/citation.ts';
export type { ChangeCounts } from './indexing/compare.ts';
export { formatForPrompt } from './memory/format-for-prompt.ts';
export {
  type Arrival,
  type ArrivalMemory,
  type ArrivalOptions,
  type MemoryChunk,
  type MemoryOptions,
  type WorkingMemory,
  workingMemory,
} from './memory/working-memory.ts';
export { type OpenOptions, openProject } from './project/open-project.ts';
export type { SettingLayer, SettingOrigin } from './settings/config.ts';
export type { Settings } from './settings/settings.ts';
export { joinProjects, type SeveralProjects } from './several/join-projects.ts';
