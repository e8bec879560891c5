import type { SQLInputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { StoreMatch } from '../../../../contracts/store.ts';
import type { Chunk, CodeSymbol } from '../../../../core/chunk.ts';
import type { DocumentRecord, Metadata, Origin } from '../../../../core/document.ts';
import type { Place } from '../../../../core/place.ts';

/** A row as SQLite gives it. */
export type Row = Readonly<Record<string, unknown>>;

// The casts of this file have one reason: the columns hold what this store wrote there itself.

/** The columns of `documents` that its checksum covers, in this order. */
export const documentFields =
  'id, uri, title, type, origin, language, media_type, revision, modified_at, metadata, chunks';

/** The columns of `chunks` that its checksum covers, in this order. */
export const chunkFields = `document, id, ordinal, span_start, span_end, first_line, last_line, text, header, section,
  symbol, symbol_kind, metadata, place, written_at`;

/** The columns that `readDocument` needs, of `documents d`. */
export const documentColumns =
  'd.id, d.uri, d.title, d.type, d.origin, d.media_type, d.revision, d.modified_at, d.metadata';

/** The columns that `readMatch` needs, of `chunks c JOIN documents d`. */
export const matchColumns = `${documentColumns}, c.number, c.id AS chunk_id, c.ordinal, c.span_start, c.span_end,
  c.first_line, c.last_line, c.text, c.header, c.section, c.symbol, c.metadata AS chunk_metadata,
  c.place, c.written_at`;

/**
 * Holds for the rows of `spaces` that were dropped. Such a row stays while it has vectors, because they refer to it. Its
 * name begins with a byte that no text in UTF-8 has, so that nobody finds it by name.
 */
export const isDropped = "substr(CAST(name AS BLOB), 1, 1) = x'FF'";

/** Text as a column takes it: SQLite ends a string at a NUL in many places, so a text with one is kept as bytes. */
export function writeText(text: string): SQLInputValue {
  return text.includes('\0') ? Buffer.from(text, 'utf8') : text;
}

/** The text that `writeText` wrote. */
export function readText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value);
}

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
    metadata: JSON.parse(String(row.metadata)) as Metadata,
  };
}

/** The chunk in a row with `matchColumns`. */
export function readChunk(row: Row): Chunk {
  const [firstLine, lastLine] = [Number(row.first_line), Number(row.last_line)];
  return {
    id: readText(row.chunk_id),
    documentId: readText(row.id),
    ordinal: Number(row.ordinal),
    span: { start: Number(row.span_start), end: Number(row.span_end), firstLine, lastLine },
    place:
      row.place === null
        ? { kind: 'lines', first: firstLine, last: lastLine }
        : (JSON.parse(readText(row.place)) as Place),
    ...(row.written_at !== null && { writtenAt: Number(row.written_at) }),
    text: readText(row.text),
    header: readText(row.header),
    section: readText(row.section),
    ...(row.symbol !== null && { symbol: JSON.parse(String(row.symbol)) as CodeSymbol }),
    metadata: JSON.parse(String(row.chunk_metadata)) as Metadata,
  };
}

/** A place as its column takes it: NULL where it is the lines of the span. */
export function writePlace({ place, span }: Pick<Chunk, 'place' | 'span'>): SQLInputValue {
  const { kind, first, last } = place;
  if (kind === 'lines' && first === span.firstLine && last === span.lastLine) return null;
  return writeText(JSON.stringify(place));
}

/** The chunk and the document in a row with `matchColumns`. */
export function readMatch(row: Row, score: number): StoreMatch {
  return { chunk: readChunk(row), document: readDocument(row), score };
}

/** A number that differs, but for one in four thousand million, where any of the values of a row differs. */
export function checksumOf(values: readonly unknown[]): number {
  let checksum = 0;
  for (const value of values) checksum = crc32(taggedBytes(value), checksum);
  return checksum;
}

/** The values with their checksum behind them, as a row takes them. */
export function withChecksum(values: readonly SQLInputValue[]): SQLInputValue[] {
  return [...values, checksumOf(values)];
}

// The kind and the length stand before each value, so that nothing can move from one value to the next unnoticed.
function taggedBytes(value: unknown): Buffer {
  const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value), 'utf8');
  return Buffer.concat([Buffer.from(`${typeof value}:${bytes.length}:`, 'latin1'), bytes]);
}
