import type { ManifestEntry } from '../../contracts/store.ts';
import type { Chunk, CodeSymbol } from '../../core/chunk.ts';
import type { DocumentRecord, Metadata, Origin } from '../../core/document.ts';
import type { Place } from '../../core/place.ts';

/** A row as an engine gives it. */
export type Row = Readonly<Record<string, unknown>>;

// The casts of this file have one reason: the columns hold what the stores wrote there themselves.

/** The columns that `readDocument` needs, of `documents d`. */
export const documentColumns =
  'd.id, d.uri, d.title, d.type, d.origin, d.media_type, d.revision, d.modified_at, d.metadata';

/** The columns that `readDocument` and `readChunk` need, of `chunks c JOIN documents d`. */
export const matchColumns = `${documentColumns}, c.id AS chunk_id, c.ordinal, c.span_start, c.span_end,
  c.first_line, c.last_line, c.place, c.written_at, c.text, c.header, c.section, c.symbol,
  c.metadata AS chunk_metadata`;

/** Reads what stores in SQL keep in the same columns. */
export interface RowReader {
  /** The document in a row with `documentColumns`. */
  readDocument(row: Row): DocumentRecord;
  /** The chunk in a row with `matchColumns`. */
  readChunk(row: Row): Chunk;
  /** The place in a row with `place`, `first_line` and `last_line`. */
  readPlace(row: Row): Place;
}

/** `readText` gives the text of a column; each engine has its own way to keep one with a NUL. */
export function createRowReader(readText: (value: unknown) => string): RowReader {
  const readPlace = (row: Row): Place =>
    row.place === null
      ? { kind: 'lines', first: Number(row.first_line), last: Number(row.last_line) }
      : (JSON.parse(readText(row.place)) as Place);
  return {
    readPlace,
    readDocument: (row) => ({
      id: readText(row.id),
      uri: readText(row.uri),
      title: readText(row.title),
      type: readText(row.type),
      origin: row.origin as Origin,
      mediaType: readText(row.media_type),
      revision: readText(row.revision),
      modifiedAt: Number(row.modified_at),
      metadata: JSON.parse(readText(row.metadata)) as Metadata,
    }),
    readChunk: (row) => ({
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
    }),
  };
}

/** A place as its column takes it: nothing where it is the lines of the span. */
export function placeText({ place, span }: Pick<Chunk, 'place' | 'span'>): string | undefined {
  const { kind, first, last } = place;
  const isOfSpan = kind === 'lines' && first === span.firstLine && last === span.lastLine;
  return isOfSpan ? undefined : JSON.stringify(place);
}

/** The values of the columns `status`, `size`, `modified_at`, `content_hash`, `recipe` and `chunks` of `manifest`. */
export function fileState<Text>(
  { status, size, modifiedAt, contentHash, recipe, chunks }: ManifestEntry,
  writeText: (text: string) => Text,
) {
  return [status, size, modifiedAt, contentHash, writeText(recipe), chunks] as const;
}
