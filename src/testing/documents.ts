import type { ChunkEntry, ManifestEntry } from '../contracts/store.ts';
import { type Chunk, embeddedText } from '../core/chunk.ts';
import type { DocumentRecord } from '../core/document.ts';
import { draws } from '../core/draws.ts';
import { chunkIds, documentId, embeddingKey, sha256 } from '../core/identity.ts';

/** A complete document record for this uri; `overrides` replace single fields. */
export function documentRecord(uri: string, overrides: Partial<DocumentRecord> = {}): DocumentRecord {
  return {
    id: documentId(uri),
    uri,
    title: uri.split('/').at(-1) ?? uri,
    type: 'doc',
    origin: 'file',
    mediaType: 'text/plain',
    revision: sha256(uri),
    modifiedAt: Date.UTC(2024, 0, 1),
    metadata: {},
    ...overrides,
  };
}

/** Chunks that follow each other in the document, one for each text, with ids and keys as indexing makes them. */
export function chunkEntries(
  document: DocumentRecord,
  texts: readonly string[],
  overrides: Partial<Chunk> = {},
): ChunkEntry[] {
  const ids = chunkIds(document.uri, texts);
  let start = 0;
  let line = 1;
  return texts.map((text, ordinal) => {
    const lastLine = line + text.split('\n').length - 1;
    const chunk: Chunk = {
      id: ids[ordinal] ?? '',
      documentId: document.id,
      ordinal,
      span: { start, end: start + text.length, firstLine: line, lastLine },
      place: { kind: 'lines', first: line, last: lastLine },
      text,
      header: '',
      section: '',
      metadata: {},
      ...overrides,
    };
    start += text.length + 1;
    line = lastLine + 1;
    return { chunk, embeddingKey: embeddingKey(embeddedText(chunk)) };
  });
}

/** A manifest entry of an indexed file; `overrides` replace single fields. */
export function manifestEntry(uri: string, overrides: Partial<ManifestEntry> = {}): ManifestEntry {
  return {
    uri,
    status: 'indexed',
    size: 100,
    modifiedAt: Date.UTC(2024, 0, 1),
    contentHash: sha256(uri),
    recipe: 'text@1',
    chunks: 1,
    ...overrides,
  };
}

/** A unit-length vector that depends on the seed alone: different seeds point in unrelated directions. */
export function unitVector(seed: string, dimensions: number): Float32Array {
  const draw = draws(Number.parseInt(sha256(seed).slice(0, 8), 16));
  // The sum of two draws is more often near the middle, as values of real embeddings are.
  const vector = Float32Array.from({ length: dimensions }, () => draw() + draw() - 1);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** A vector of two dimensions at this angle in degrees: easy to distinguish by eye. */
export function angleVector(degrees: number): Float32Array {
  const radians = (degrees / 180) * Math.PI;
  return Float32Array.of(Math.cos(radians), Math.sin(radians));
}
