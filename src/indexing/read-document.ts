import type { Chunker, ChunkLimits } from '../contracts/chunker.ts';
import type { Extractor } from '../contracts/extractor.ts';
import type { SourceFile } from '../contracts/source.ts';
import type { ChunkEntry } from '../contracts/store.ts';
import type { Document, DocumentRecord } from '../core/document.ts';
import type { SkippedPath } from '../core/events.ts';
import { documentId } from '../core/identity.ts';
import { assembleChunks } from './assemble-chunks.ts';

/** How one file is read and cut; chosen by the project from its settings. */
export interface ReadingParts {
  readonly limits: ChunkLimits;
  languageOf(uri: string): string | undefined;
  typeOf(uri: string, language: string | undefined): string;
  mediaTypeOf(uri: string): string;
  extractorFor(uri: string): Promise<Extractor>;
  /** The chunker for a document; `wanted` is the extractor's own choice. */
  chunkerFor(document: Document, wanted: string | undefined): Promise<Chunker>;
}

/** Reads files, here or in threads of their own. */
export interface Reading {
  /** Names everything that decides the chunks of a file; when it changes, files are chunked again. */
  readonly recipe: string;
  /** Files that are worth having under way at once. */
  readonly concurrency: number;
  /** Rejects when the file cannot be read; `bytes` may no longer be used by the caller. */
  read(file: SourceFile, bytes: Uint8Array, revision: string): Promise<ReadDocument>;
  close(): Promise<void>;
}

/** A file turned into chunks, or the reason why it has none. */
export type ReadDocument =
  | {
      readonly kind: 'document';
      readonly document: DocumentRecord;
      readonly chunks: ChunkEntry[];
      readonly degraded?: string;
    }
  | { readonly kind: 'skipped'; readonly skipped: SkippedPath };

/** Extracts and cuts one file. */
export async function readDocument(
  file: SourceFile,
  bytes: Uint8Array,
  revision: string,
  reading: ReadingParts,
): Promise<ReadDocument> {
  const { uri } = file;
  const mediaType = reading.mediaTypeOf(uri);
  const extractor = await reading.extractorFor(uri);
  const extraction = await extractor.extract({ uri, bytes, mediaType });
  if (extraction.kind === 'skip') {
    return { kind: 'skipped', skipped: { uri, reason: extraction.reason, rule: extraction.rule } };
  }
  const language = reading.languageOf(uri);
  const document: Document = {
    id: documentId(uri),
    uri,
    title: extraction.title ?? uri.slice(uri.lastIndexOf('/') + 1),
    type: reading.typeOf(uri, language),
    origin: 'file',
    mediaType,
    text: extraction.text,
    revision,
    modifiedAt: file.modifiedAt,
    metadata: { ...extraction.metadata, ...(language && { language }) },
  };
  const chunker = await reading.chunkerFor(document, extraction.chunker);
  const { drafts, degraded: cutDegraded } = await chunker.chunk(document, reading.limits);
  const degraded = [extraction.degraded, cutDegraded].filter(Boolean).join('; ');
  const { text: _, ...record } = document;
  return {
    kind: 'document',
    document: record,
    chunks: assembleChunks(document, drafts),
    ...(degraded !== '' && { degraded }),
  };
}
