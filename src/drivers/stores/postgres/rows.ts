import type { ManifestEntry, StoreMatch } from '../../../contracts/store.ts';
import type { Chunk } from '../../../core/chunk.ts';
import { createRowReader, placeText, type Row } from '../sql-rows.ts';

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

export const { readDocument, readChunk, readPlace } = createRowReader(readText);

/** A place as its column takes it: nothing where it is the lines of the span. */
export function writePlace(chunk: Chunk): string | null {
  const text = placeText(chunk);
  return text === undefined ? null : writeText(text);
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
