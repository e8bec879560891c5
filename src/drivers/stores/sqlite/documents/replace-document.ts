import type { SQLInputValue } from 'node:sqlite';
import type { ChunkEntry } from '../../../../contracts/store.ts';
import type { Chunk } from '../../../../core/chunk.ts';
import type { DocumentRecord } from '../../../../core/document.ts';
import type { Connection } from '../file/connection.ts';
import {
  chunkFields,
  documentFields,
  provenChunkRow,
  provenDocumentRow,
  readText,
  writePlace,
  writeText,
} from '../layout/rows.ts';
import { removeChunks, removeOrphans } from './documents.ts';

/** What came of putting a document. */
export interface PutOutcome {
  /** Whether something was stored under its id or uri. */
  readonly hasReplaced: boolean;
  /** Numbers of the chunks that cannot be found by their words until `insertText` has been given them. */
  readonly added: readonly number[];
}

/**
 * Puts the document and its chunks in place of what was stored under its id or uri. Chunks that are found by the same
 * words as before keep their rows: of a long file with a small change little is written.
 */
export function replaceDocument(
  connection: Connection,
  document: DocumentRecord,
  entries: readonly ChunkEntry[],
): PutOutcome {
  const present = connection.all(
    'SELECT number, id, uri, title FROM documents WHERE id = ? OR uri = ?',
    writeText(document.id),
    writeText(document.uri),
  );
  const rows =
    present.length === 1 && isFoundAlike(present[0], document) ? rowsOf(connection, present[0]) : [];
  const kept = matchRows(rows, entries);
  const numbers = present.map(({ number }) => Number(number));
  const touched = removeChunks(connection, numbers, new Set([...kept.values()].map(({ number }) => number)));
  connection.run(
    'DELETE FROM documents WHERE uri = ? AND id <> ?',
    writeText(document.uri),
    writeText(document.id),
  );
  const place = upsertDocument(connection, document, entries.length);
  const owner = { number: place, id: writeText(document.id) };
  const replaced = moveChunks(connection, owner, kept);
  const added = entries
    .filter((entry) => !kept.has(entry))
    .map((entry) => insertChunk(connection, owner, entry));
  // Only now, so that a text which stands in the new chunks too keeps its vector.
  removeOrphans(connection, [...touched, ...replaced]);
  return { hasReplaced: numbers.length > 0, added };
}

/** The document of chunks, by its row and its id. */
interface Owner {
  readonly number: number;
  readonly id: SQLInputValue;
}

/** A chunk as it is stored. */
interface StoredChunk {
  readonly number: number;
  readonly embedding: number;
  readonly embeddingKey: string;
  /** The columns that its proof covers. */
  readonly values: readonly unknown[];
}

type Row = Record<string, unknown>;

/** Whether the words that a document lends to its chunks are those of before. */
function isFoundAlike(previous: Row | undefined, { id, uri, title }: DocumentRecord): boolean {
  return (
    previous !== undefined &&
    readText(previous.id) === id &&
    readText(previous.uri) === uri &&
    readText(previous.title) === title
  );
}

function rowsOf(connection: Connection, previous: Row | undefined): StoredChunk[] {
  return connection
    .tuples(
      `SELECT c.number, c.embedding, e.key, ${chunkFields} FROM chunks c JOIN embeddings e ON e.number = c.embedding
       WHERE c.document = ?`,
      Number(previous?.number),
    )
    .map(([number, embedding, key, ...values]) => ({
      number: Number(number),
      embedding: Number(embedding),
      embeddingKey: readText(key),
      values,
    }));
}

/** The rows that can stay, by the chunk that each of them is to hold. */
function matchRows(
  rows: readonly StoredChunk[],
  entries: readonly ChunkEntry[],
): Map<ChunkEntry, StoredChunk> {
  const byId = new Map(rows.map((row) => [readText(row.values[column.id]), row]));
  const kept = new Map<ChunkEntry, StoredChunk>();
  for (const entry of entries) {
    const row = byId.get(entry.chunk.id);
    if (!row) continue;
    const wanted = chunkValues(0, entry.chunk);
    if (!wordy.every((at) => isSame(row.values[at], wanted[at]))) continue;
    kept.set(entry, row);
    byId.delete(entry.chunk.id);
  }
  return kept;
}

/** Brings rows that stay to the place that their chunk has now; returns the embeddings they no longer refer to. */
function moveChunks(
  connection: Connection,
  owner: Owner,
  kept: ReadonlyMap<ChunkEntry, StoredChunk>,
): number[] {
  const changed = [...kept]
    .map(([{ chunk, embeddingKey: key }, row]) => ({ values: chunkValues(owner.number, chunk), key, row }))
    .filter(
      ({ values, key, row }) =>
        key !== row.embeddingKey || !values.every((value, at) => isSame(row.values[at], value)),
    );
  // No two chunks may have one place, not even for a moment: those that move step out of the way first.
  const moving = changed.filter(({ values, row }) => values[column.ordinal] !== row.values[column.ordinal]);
  connection.run(
    'UPDATE chunks SET ordinal = -1 - ordinal WHERE number IN (SELECT value FROM json_each(?))',
    JSON.stringify(moving.map(({ row }) => row.number)),
  );
  const released: number[] = [];
  for (const { values, key, row } of changed) {
    const embedding = key === row.embeddingKey ? row.embedding : embeddingNumber(connection, key);
    if (embedding !== row.embedding) released.push(row.embedding);
    connection.run(
      `UPDATE chunks SET (${chunkFields}, proof, embedding) = (${placeholders}) WHERE number = ?`,
      ...provenChunkRow(connection.proof, owner.id, values),
      embedding,
      row.number,
    );
  }
  return released;
}

function isSame(stored: unknown, wanted: SQLInputValue | undefined): boolean {
  if (!(wanted instanceof Uint8Array)) return stored === wanted;
  return stored instanceof Uint8Array && Buffer.compare(stored, wanted) === 0;
}

/** Where some columns stand among those that the proof covers. */
const column = { id: 1, ordinal: 2, text: 7, section: 9, symbol: 10 };
/** Those that decide by which words a chunk is found. */
const wordy = [column.text, column.section, column.symbol];

const placeholders = '?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?';
const insertion = `INSERT INTO chunks (${chunkFields}, proof, embedding) VALUES (${placeholders})`;

/** Returns the number of the new row. */
function insertChunk(connection: Connection, owner: Owner, { chunk, embeddingKey }: ChunkEntry): number {
  const number = connection.insert(
    insertion,
    ...provenChunkRow(connection.proof, owner.id, chunkValues(owner.number, chunk)),
    embeddingNumber(connection, embeddingKey),
  );
  return Number(number);
}

/** The columns of a chunk that its proof covers, in the order of `chunkFields`. */
function chunkValues(document: number, chunk: Chunk): SQLInputValue[] {
  return [
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
    writePlace(chunk),
    chunk.writtenAt ?? null,
  ];
}

function upsertDocument(connection: Connection, document: DocumentRecord, chunks: number): number {
  // An update keeps the row's number, and so the document's place in the order of insertion.
  const row = connection.get(
    `INSERT INTO documents (${documentFields}, proof) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET uri = excluded.uri, title = excluded.title, type = excluded.type,
       origin = excluded.origin, language = excluded.language, media_type = excluded.media_type,
       revision = excluded.revision, modified_at = excluded.modified_at, metadata = excluded.metadata,
       chunks = excluded.chunks, proof = excluded.proof
     RETURNING number`,
    ...provenDocumentRow(connection.proof, [
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

/** The number of the embedding with this key, which is made where there is none. */
export function embeddingNumber(connection: Connection, key: string): number {
  const written = writeText(key);
  // Most texts are new: the others are looked up.
  const made = connection.insert('INSERT INTO embeddings (key) VALUES (?) ON CONFLICT DO NOTHING', written);
  return made ?? Number(connection.get('SELECT number FROM embeddings WHERE key = ?', written)?.number);
}
