import type { SQLInputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { StoreMatch } from '../../../../contracts/store.ts';
import type { Chunk } from '../../../../core/chunk.ts';
import { createRowReader, placeText, type Row } from '../../sql-rows.ts';

/** The columns of `documents` that its checksum covers, in this order. */
export const documentFields =
  'id, uri, title, type, origin, language, media_type, revision, modified_at, metadata, chunks';

/** The columns of `chunks` that its checksum covers, in this order. */
export const chunkFields = `document, id, ordinal, span_start, span_end, first_line, last_line, text, header, section,
  symbol, symbol_kind, metadata, place, written_at`;

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

export const { readDocument, readChunk } = createRowReader(readText);

/** A place as its column takes it: NULL where it is the lines of the span. */
export function writePlace(chunk: Chunk): SQLInputValue {
  const text = placeText(chunk);
  return text === undefined ? null : writeText(text);
}

/** The chunk and the document in a row with `matchColumns`. */
export function readMatch(row: Row, score: number): StoreMatch {
  return { chunk: readChunk(row), document: readDocument(row), score };
}

/**
 * A number that differs, but for one in four thousand million, where any of the values of a row differs. The kind and the
 * length stand before each value, so that nothing can move from one value to the next unnoticed.
 */
export function checksumOf(values: readonly unknown[]): number {
  let checksum = 0;
  let text = '';
  for (const value of values) {
    if (value instanceof Uint8Array) {
      checksum = crc32(value, crc32(`${text}${typeof value}:${value.length}:`, checksum));
      text = '';
    } else text += `${typeof value}:${Buffer.byteLength(String(value))}:${value}`;
  }
  return crc32(text, checksum);
}

/** The values with their checksum behind them, as a row takes them. */
export function withChecksum(values: readonly SQLInputValue[]): SQLInputValue[] {
  return [...values, checksumOf(values)];
}
