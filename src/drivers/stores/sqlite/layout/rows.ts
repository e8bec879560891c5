import type { SQLInputValue } from 'node:sqlite';
import type { StoreMatch } from '../../../../contracts/store.ts';
import type { Chunk } from '../../../../core/chunk.ts';
import type { DocumentRecord } from '../../../../core/document.ts';
import type { Proof } from '../../../../platform/proof.ts';
import { createRowReader, documentColumns, matchColumns, placeText, type Row } from '../../sql-rows.ts';
import { foreignRow } from './foreign.ts';

/** The columns of `documents` that its proof covers, in this order. */
export const documentFields =
  'id, uri, title, type, origin, language, media_type, revision, modified_at, metadata, chunks';

/** The columns of `chunks` that its proof covers, in this order, behind the id of its document. */
export const chunkFields = `document, id, ordinal, span_start, span_end, first_line, last_line, text, header, section,
  symbol, symbol_kind, metadata, place, written_at`;

/** The columns that `readDocument` needs, of `documents d`. */
export const provenDocument = `${documentColumns}, d.language, d.chunks, d.proof`;

/** The columns that `readMatch` and `readChunk` need, of `chunks c JOIN documents d`. */
export const provenMatch = `${matchColumns}, d.language, d.chunks, d.proof,
  c.document, c.symbol_kind, c.proof AS chunk_proof`;

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

const documentNames = documentFields.split(/,\s*/);
const chunkNames = chunkFields.split(/,\s*/);
/** Columns of a chunk that have another name beside those of its document. */
const namesInMatch: Readonly<Record<string, string>> = { id: 'chunk_id', metadata: 'chunk_metadata' };

const reader = createRowReader(readText);

/** A place as its column takes it: NULL where it is the lines of the span. */
export function writePlace(chunk: Chunk): SQLInputValue {
  const text = placeText(chunk);
  return text === undefined ? null : writeText(text);
}

/** The document in a row with `provenDocument`; one that this user did not write is an error. */
export function readDocument(proof: Proof, row: Row): DocumentRecord {
  if (!isOwnDocument(proof, row)) throw foreignRow();
  return reader.readDocument(row);
}

/** The chunk in a row with `provenMatch`; one that this user did not write for that document is an error. */
export function readChunk(proof: Proof, row: Row): Chunk {
  const values = chunkNames.map((name) => row[namesInMatch[name] ?? name]);
  if (!proof.holds(row.chunk_proof, 'chunk', [row.id, ...values])) throw foreignRow();
  return reader.readChunk(row);
}

/** The chunk and the document in a row with `provenMatch`. */
export function readMatch(proof: Proof, row: Row, score: number): StoreMatch {
  return { chunk: readChunk(proof, row), document: readDocument(proof, row), score };
}

/** Whether this user wrote a row of `documents`, given with all of its columns. */
export function isOwnDocument(proof: Proof, row: Row): boolean {
  return proof.holds(
    row.proof,
    'document',
    documentNames.map((name) => row[name]),
  );
}

/** Whether this user wrote a row of `chunks`, given with all of its columns, for the document with this id. */
export function isOwnChunk(proof: Proof, document: unknown, row: Row): boolean {
  return proof.holds(row.proof, 'chunk', [document, ...chunkNames.map((name) => row[name])]);
}

/** The values with their proof behind them, as a row takes them. */
export function provenDocumentRow(proof: Proof, values: readonly SQLInputValue[]): SQLInputValue[] {
  return [...values, proof.of('document', values)];
}

/** The same of a chunk, given the id of its document as its column has it. */
export function provenChunkRow(
  proof: Proof,
  document: SQLInputValue,
  values: readonly SQLInputValue[],
): SQLInputValue[] {
  return [...values, proof.of('chunk', [document, ...values])];
}
