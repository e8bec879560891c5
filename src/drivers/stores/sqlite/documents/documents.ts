import type { ChunkRange } from '../../../../contracts/store.ts';
import type { Chunk } from '../../../../core/chunk.ts';
import type { DocumentRecord } from '../../../../core/document.ts';
import type { Filter } from '../../../../core/filter.ts';
import type { Connection } from '../file/connection.ts';
import { documentCondition } from '../layout/filter.ts';
import { foreignRow } from '../layout/foreign.ts';
import {
  isOwnChunk,
  provenDocument,
  provenMatch,
  readChunk,
  readDocument,
  readText,
  writeText,
} from '../layout/rows.ts';
import { removeText } from '../text/text-index.ts';

/** Removes the documents with these uris, and says how many were there. */
export function removeDocuments(connection: Connection, uris: readonly string[]): number {
  const numbers = [...new Set(uris)].flatMap((uri) => {
    const row = connection.get('SELECT number FROM documents WHERE uri = ?', writeText(uri));
    return row ? [Number(row.number)] : [];
  });
  const embeddings = removeChunks(connection, numbers);
  connection.run(
    'DELETE FROM documents WHERE number IN (SELECT value FROM json_each(?))',
    JSON.stringify(numbers),
  );
  removeOrphans(connection, embeddings);
  return numbers.length;
}

/** The documents that pass the filter, in the order of their insertion. */
export function listDocuments(connection: Connection, filter?: Filter): DocumentRecord[] {
  const { sql, parameters } = documentCondition(filter);
  const where = sql === '' ? '' : `WHERE ${sql}`;
  return connection
    .all(`SELECT ${provenDocument} FROM documents d ${where} ORDER BY d.number`, ...parameters)
    .map((row) => readDocument(connection.proof, row));
}

/** All uris in the order of their UTF-16 units. */
export function listPaths(connection: Connection): string[] {
  return connection
    .tuples('SELECT uri FROM documents')
    .map(([uri]) => readText(uri))
    .sort();
}

/** All chunks of a document, in order. */
export function findChunks(connection: Connection, { documentId, first, last }: ChunkRange): Chunk[] {
  return connection
    .all(
      `SELECT ${provenMatch} FROM documents d JOIN chunks c ON c.document = d.number
       WHERE d.id = ? AND c.ordinal BETWEEN ? AND ? ORDER BY c.ordinal`,
      writeText(documentId),
      first,
      last,
    )
    .map((row) => readChunk(connection.proof, row));
}

/** Removes the chunks of these documents, but for some that are kept; returns the embeddings they referred to. */
export function removeChunks(
  connection: Connection,
  documents: readonly number[],
  kept: ReadonlySet<number> = new Set(),
): number[] {
  assertOwnChunks(connection, documents);
  const chunks = connection
    .tuples(
      'SELECT number, embedding FROM chunks WHERE document IN (SELECT value FROM json_each(?))',
      JSON.stringify(documents),
    )
    .map(([number, embedding]) => ({ number: Number(number), embedding: Number(embedding) }))
    .filter(({ number }) => !kept.has(number));
  const numbers = JSON.stringify(chunks.map(({ number }) => number));
  removeText(connection, numbers);
  connection.run('DELETE FROM chunks WHERE number IN (SELECT value FROM json_each(?))', numbers);
  return chunks.map(({ embedding }) => embedding);
}

/** By the texts of chunks the text index forgets their words: those of others would leave it wrong. */
function assertOwnChunks(connection: Connection, documents: readonly number[]): void {
  for (const row of connection.each(
    `SELECT d.id AS owner, c.* FROM chunks c JOIN documents d ON d.number = c.document
     WHERE c.document IN (SELECT value FROM json_each(?))`,
    JSON.stringify(documents),
  ))
    if (!isOwnChunk(connection.proof, row.owner, row)) throw foreignRow();
}

/** Removes those of the embeddings that no chunk refers to any more; their vectors go with them. */
export function removeOrphans(connection: Connection, embeddings: readonly number[]): void {
  connection.run(
    `DELETE FROM embeddings WHERE number IN (SELECT value FROM json_each(?))
     AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.embedding = embeddings.number)`,
    JSON.stringify(embeddings),
  );
}
