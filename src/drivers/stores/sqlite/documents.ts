import type { ChunkEntry, StoreMatch } from '../../../contracts/store.ts';
import type { Chunk } from '../../../core/chunk.ts';
import type { DocumentRecord } from '../../../core/document.ts';
import type { Filter } from '../../../core/filter.ts';
import { withChecksum } from './checksum.ts';
import type { Connection } from './connection.ts';
import { documentCondition } from './filter.ts';
import {
  chunkFields,
  documentColumns,
  documentFields,
  matchColumns,
  readChunk,
  readDocument,
  readMatch,
  readText,
  writeText,
} from './rows.ts';
import { insertText, removeText } from './text.ts';

/** Puts the document and its chunks in place of what was stored under its id or uri; whether there was something. */
export function replaceDocument(
  connection: Connection,
  document: DocumentRecord,
  entries: readonly ChunkEntry[],
): boolean {
  const numbers = connection
    .all(
      'SELECT number FROM documents WHERE id = ? OR uri = ?',
      writeText(document.id),
      writeText(document.uri),
    )
    .map(({ number }) => Number(number));
  const former = removeChunks(connection, numbers);
  connection.run(
    'DELETE FROM documents WHERE uri = ? AND id <> ?',
    writeText(document.uri),
    writeText(document.id),
  );
  const place = upsertDocument(connection, document, entries.length);
  for (const entry of entries) insertChunk(connection, place, entry);
  // Only now, so that a text which stands in the new chunks too keeps its vector.
  removeOrphans(connection, former);
  insertText(connection, place);
  return numbers.length > 0;
}

/** Removes the documents whose `column` has one of the values, and returns them. */
export function removeDocuments(
  connection: Connection,
  column: 'id' | 'uri',
  values: readonly string[],
): DocumentRecord[] {
  const removed: DocumentRecord[] = [];
  const numbers: number[] = [];
  for (const value of new Set(values)) {
    const row = connection.get(
      `SELECT d.number, ${documentColumns} FROM documents d WHERE d.${column} = ?`,
      writeText(value),
    );
    if (!row) continue;
    removed.push(readDocument(row));
    numbers.push(Number(row.number));
  }
  const embeddings = removeChunks(connection, numbers);
  connection.run(
    'DELETE FROM documents WHERE number IN (SELECT value FROM json_each(?))',
    JSON.stringify(numbers),
  );
  removeOrphans(connection, embeddings);
  return removed;
}

/** The documents that pass the filter, in the order of their insertion. */
export function listDocuments(connection: Connection, filter?: Filter): DocumentRecord[] {
  const { sql, parameters } = documentCondition(filter);
  const where = sql === '' ? '' : `WHERE ${sql}`;
  return connection
    .all(`SELECT ${documentColumns} FROM documents d ${where} ORDER BY d.number`, ...parameters)
    .map(readDocument);
}

/** All uris in the order of their UTF-16 units. */
export function listPaths(connection: Connection): string[] {
  return connection
    .tuples('SELECT uri FROM documents')
    .map(([uri]) => readText(uri))
    .sort();
}

/** The chunks with these ids, in the order of the ids. */
export function findChunks(connection: Connection, ids: readonly string[]): StoreMatch[] {
  return [...new Set(ids)].flatMap((id) =>
    connection
      .all(
        `SELECT ${matchColumns} FROM chunks c JOIN documents d ON d.number = c.document
         WHERE c.id = ? ORDER BY c.number`,
        writeText(id),
      )
      .map((row) => readMatch(row, 0)),
  );
}

/** The chunks around a position of a document, in order; none where no chunk stands at the position. */
export function findNeighbours(
  connection: Connection,
  documentId: string,
  ordinal: number,
  around: { before: number; after: number },
): Chunk[] {
  const found = connection
    .all(
      `SELECT ${matchColumns} FROM documents d JOIN chunks c ON c.document = d.number
       WHERE d.id = ? AND c.ordinal BETWEEN ? AND ? ORDER BY c.ordinal`,
      writeText(documentId),
      ordinal - Math.max(0, around.before),
      ordinal + Math.max(0, around.after),
    )
    .map(readChunk);
  return found.some((chunk) => chunk.ordinal === ordinal) ? found : [];
}

function upsertDocument(connection: Connection, document: DocumentRecord, chunks: number): number {
  // An update keeps the row's number, and so the document's place in the order of insertion.
  const row = connection.get(
    `INSERT INTO documents (${documentFields}, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET uri = excluded.uri, title = excluded.title, type = excluded.type,
       origin = excluded.origin, language = excluded.language, media_type = excluded.media_type,
       revision = excluded.revision, modified_at = excluded.modified_at, metadata = excluded.metadata,
       chunks = excluded.chunks, checksum = excluded.checksum
     RETURNING number`,
    ...withChecksum([
      writeText(document.id),
      writeText(document.uri),
      writeText(document.title),
      document.type,
      document.origin,
      String(document.metadata.language ?? ''),
      document.mediaType,
      document.revision,
      document.modifiedAt,
      JSON.stringify(document.metadata),
      chunks,
    ]),
  );
  return Number(row?.number);
}

function insertChunk(connection: Connection, document: number, { chunk, embeddingKey }: ChunkEntry): void {
  connection.run(
    `INSERT INTO chunks (${chunkFields}, checksum, embedding)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...withChecksum([
      document,
      writeText(chunk.id),
      chunk.ordinal,
      chunk.span.start,
      chunk.span.end,
      chunk.span.firstLine,
      chunk.span.lastLine,
      writeText(chunk.text),
      writeText(chunk.header),
      writeText(chunk.section),
      chunk.symbol ? JSON.stringify(chunk.symbol) : null,
      chunk.symbol?.kind ?? '',
      JSON.stringify(chunk.metadata),
    ]),
    embeddingNumber(connection, embeddingKey),
  );
}

/** The number of the embedding with this key, which is made where there is none. */
export function embeddingNumber(connection: Connection, key: string): number {
  const row =
    connection.get('SELECT number FROM embeddings WHERE key = ?', writeText(key)) ??
    connection.get('INSERT INTO embeddings (key) VALUES (?) RETURNING number', writeText(key));
  return Number(row?.number);
}

/** Removes the chunks of these documents, and returns the embeddings they referred to as a JSON list. */
function removeChunks(connection: Connection, documents: readonly number[]): string {
  const list = JSON.stringify(documents);
  const row = connection.get(
    `SELECT json_group_array(number) AS chunks, json_group_array(embedding) AS embeddings FROM chunks
     WHERE document IN (SELECT value FROM json_each(?))`,
    list,
  );
  removeText(connection, String(row?.chunks));
  connection.run('DELETE FROM chunks WHERE document IN (SELECT value FROM json_each(?))', list);
  return String(row?.embeddings);
}

/** Removes those of the embeddings that no chunk refers to any more; their vectors go with them. */
function removeOrphans(connection: Connection, embeddings: string): void {
  connection.run(
    `DELETE FROM embeddings WHERE number IN (SELECT value FROM json_each(?))
     AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.embedding = embeddings.number)`,
    embeddings,
  );
}
