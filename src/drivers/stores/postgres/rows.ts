import type { ManifestEntry, StoreMatch } from '../../../contracts/store.ts';
import type { Chunk, CodeSymbol } from '../../../core/chunk.ts';
import type { DocumentRecord, Metadata, Origin } from '../../../core/document.ts';
import type { Place } from '../../../core/place.ts';
import type { Row } from './pool.ts';

// The casts of this file have one reason: the columns hold what this store wrote there itself.

const mark = '\u001a';

/** Text as a column takes it. PostgreSQL has no NUL in texts, so that one is written as two other characters. */
export function writeText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  if (!whole.includes('\0') && !whole.includes(mark)) return whole;
  return whole.replaceAll(mark, `${mark}1`).replaceAll('\0', `${mark}0`);
}

/** The text that `writeText` wrote. */
export function readText(value: unknown): string {
  const text = String(value);
  return text.includes(mark) ? text.replaceAll(`${mark}0`, '\0').replaceAll(`${mark}1`, mark) : text;
}

/** The columns that `readDocument` needs, of `documents d`. */
export const documentColumns =
  'd.id, d.uri, d.title, d.type, d.origin, d.media_type, d.revision, d.modified_at, d.metadata';

/** The columns that `readMatch` needs, of `chunks c JOIN documents d`. */
export const matchColumns = `${documentColumns}, c.id AS chunk_id, c.ordinal, c.span_start, c.span_end,
  c.first_line, c.last_line, c.place, c.written_at, c.text, c.header, c.section, c.symbol,
  c.metadata AS chunk_metadata`;

/** The document in a row with `documentColumns`. */
export function readDocument(row: Row): DocumentRecord {
  return {
    id: readText(row.id),
    uri: readText(row.uri),
    title: readText(row.title),
    type: readText(row.type),
    origin: row.origin as Origin,
    mediaType: readText(row.media_type),
    revision: readText(row.revision),
    modifiedAt: Number(row.modified_at),
    metadata: JSON.parse(readText(row.metadata)) as Metadata,
  };
}

/** The chunk in a row with `matchColumns`. */
export function readChunk(row: Row): Chunk {
  return {
    id: readText(row.chunk_id),
    documentId: readText(row.id),
    ordinal: Number(row.ordinal),
    span: {
      start: Number(row.span_start),
      end: Number(row.span_end),
      firstLine: Number(row.first_line),
      lastLine: Number(row.last_line),
    },
    place: readPlace(row),
    ...(row.written_at !== null && { writtenAt: Number(row.written_at) }),
    text: readText(row.text),
    header: readText(row.header),
    section: readText(row.section),
    ...(row.symbol !== null && { symbol: JSON.parse(readText(row.symbol)) as CodeSymbol }),
    metadata: JSON.parse(readText(row.chunk_metadata)) as Metadata,
  };
}

/** The place in a row with `place`, `first_line` and `last_line`. */
export function readPlace(row: Row): Place {
  return row.place === null
    ? { kind: 'lines', first: Number(row.first_line), last: Number(row.last_line) }
    : (JSON.parse(readText(row.place)) as Place);
}

/** A place as its column takes it: nothing where it is the lines of the span. */
export function writePlace({ place, span }: Pick<Chunk, 'place' | 'span'>): string | null {
  const { kind, first, last } = place;
  if (kind === 'lines' && first === span.firstLine && last === span.lastLine) return null;
  return writeText(JSON.stringify(place));
}

/** The chunk and the document in a row with `matchColumns` and `score`. */
export function readMatch(row: Row): StoreMatch {
  return { chunk: readChunk(row), document: readDocument(row), score: Number(row.score) };
}

/** The manifest entry in a row of `manifest`. */
export function readManifestEntry(row: Row): ManifestEntry {
  return {
    uri: readText(row.uri),
    status: row.status as ManifestEntry['status'],
    size: Number(row.size),
    modifiedAt: Number(row.modified_at),
    contentHash: String(row.content_hash),
    recipe: readText(row.recipe),
    chunks: Number(row.chunks),
    ...(row.reason !== null && { reason: row.reason as NonNullable<ManifestEntry['reason']> }),
    ...(row.detail !== null && { detail: readText(row.detail) }),
  };
}

/** A limit that a statement takes. */
export function rowLimit(limit: number): number {
  return Math.trunc(Math.max(0, Math.min(limit || 0, 2 ** 31 - 1)));
}
