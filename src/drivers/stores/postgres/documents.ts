import type { ChunkEntry, ManifestEntry } from '../../../contracts/store.ts';
import type { Chunk } from '../../../core/chunk.ts';
import type { DocumentRecord } from '../../../core/document.ts';
import { sha256 } from '../../../core/identity.ts';
import { fileState } from '../sql-rows.ts';
import type { Names } from './names.ts';
import type { Ask } from './pool.ts';
import { writePlace, writeText } from './rows.ts';
import { chunkTerms, textKey } from './terms.ts';
import { insertTerms, removeTerms } from './text.ts';

/** A chunk that is stored. */
interface StoredChunk {
  readonly number: number;
  readonly embedding: number;
  readonly id: string;
  readonly textKey: string;
}

/**
 * Puts the document and its chunks in place of what was stored under its id or uri. Chunks that are found by the same words
 * as before keep their rows.
 */
export async function replaceDocument(
  ask: Ask,
  names: Names,
  document: DocumentRecord,
  entries: readonly ChunkEntry[],
): Promise<void> {
  const present = await ask(`SELECT number, id FROM ${names.index}.documents WHERE id = $1 OR uri_key = $2`, [
    writeText(document.id),
    uriKey(document.uri),
  ]);
  const stored = await chunksOf(
    ask,
    names,
    present.map(({ number }) => Number(number)),
  );
  await countEmbedded(
    ask,
    names,
    present.map(({ number }) => Number(number)),
    -1,
  );
  const others = present.filter(({ id }) => id !== writeText(document.id));
  const kept = matchChunks(others.length === 0 ? stored : [], document, entries);
  const keptNumbers = new Set([...kept.values()].map(({ number }) => number));
  const removed = stored.filter(({ number }) => !keptNumbers.has(number));
  await removeChunks(ask, names, removed);
  if (others.length > 0)
    await ask(`DELETE FROM ${names.index}.documents WHERE number = ANY($1::bigint[])`, [
      others.map(({ number }) => number),
    ]);
  const number = await upsertDocument(ask, names, document);
  await insertEmbeddings(ask, names, entries);
  await updateChunks(ask, names, number, kept);
  await insertChunks(
    ask,
    names,
    number,
    document,
    entries.filter((entry) => !kept.has(entry)),
  );
  await countEmbedded(ask, names, [number], 1);
  await removeOrphans(
    ask,
    names,
    stored.map(({ embedding }) => embedding),
  );
}

/** Removes the documents with these uris, and says how many were there. */
export async function removeDocuments(ask: Ask, names: Names, uris: readonly string[]): Promise<number> {
  const rows = await ask(`SELECT number FROM ${names.index}.documents WHERE uri_key = ANY($1::text[])`, [
    uris.map(uriKey),
  ]);
  const numbers = rows.map(({ number }) => Number(number));
  const stored = await chunksOf(ask, names, numbers);
  await countEmbedded(ask, names, numbers, -1);
  await removeChunks(ask, names, stored);
  await ask(`DELETE FROM ${names.index}.documents WHERE number = ANY($1::bigint[])`, [numbers]);
  await removeOrphans(
    ask,
    names,
    stored.map(({ embedding }) => embedding),
  );
  return numbers.length;
}

/** Notes paths, in place of what was noted before. */
export async function writeManifest(
  ask: Ask,
  { index }: Names,
  entries: readonly ManifestEntry[],
): Promise<void> {
  // One statement must not write a row twice: of entries with the same path the last one counts.
  const rows = [...new Map(entries.map((entry) => [entry.uri, entry])).values()].map((entry) => ({
    uri_key: uriKey(entry.uri),
    uri: writeText(entry.uri),
    status: entry.status,
    size: entry.size,
    modified_at: entry.modifiedAt,
    content_hash: entry.contentHash,
    recipe: writeText(entry.recipe),
    chunks: entry.chunks,
    reason: entry.reason ?? null,
    detail: entry.detail === undefined ? null : writeText(entry.detail),
  }));
  if (rows.length === 0) return;
  const columns = 'uri, status, size, modified_at, content_hash, recipe, chunks, reason, detail';
  await ask(
    `INSERT INTO ${index}.manifest (uri_key, ${columns})
     SELECT uri_key, ${columns} FROM json_populate_recordset(NULL::${index}.manifest, $1::text::json)
     ON CONFLICT (uri_key) DO UPDATE SET (${columns}) =
       (${columns
         .split(', ')
         .map((name) => `excluded.${name}`)
         .join(', ')})`,
    [JSON.stringify(rows)],
  );
}

/** Whether this is what is noted of the path. */
export async function isManifestEntry(ask: Ask, { index }: Names, entry: ManifestEntry): Promise<boolean> {
  const rows = await ask(
    `SELECT 1 FROM ${index}.manifest WHERE uri_key = $1 AND status = $2 AND size = $3 AND modified_at = $4
     AND content_hash = $5 AND recipe = $6 AND chunks = $7`,
    [uriKey(entry.uri), ...fileState(entry, writeText)],
  );
  return rows.length > 0;
}

/** Forgets what was noted of these paths. */
export async function removeManifest(ask: Ask, { index }: Names, uris: readonly string[]): Promise<void> {
  await ask(`DELETE FROM ${index}.manifest WHERE uri_key = ANY($1::text[])`, [uris.map(uriKey)]);
}

/** What a path is found by. */
function uriKey(uri: string): string {
  return sha256(uri);
}

async function chunksOf(ask: Ask, { index }: Names, documents: readonly number[]): Promise<StoredChunk[]> {
  if (documents.length === 0) return [];
  const rows = await ask(
    `SELECT number, embedding, id, text_key FROM ${index}.chunks WHERE document = ANY($1::bigint[])`,
    [documents],
  );
  return rows.map((row) => ({
    number: Number(row.number),
    embedding: Number(row.embedding),
    id: String(row.id),
    textKey: String(row.text_key),
  }));
}

/** The rows that can stay, by the chunk that each of them is to hold. */
function matchChunks(
  stored: readonly StoredChunk[],
  document: DocumentRecord,
  entries: readonly ChunkEntry[],
): Map<ChunkEntry, StoredChunk> {
  const byId = new Map(stored.map((row) => [row.id, row]));
  const kept = new Map<ChunkEntry, StoredChunk>();
  for (const entry of entries) {
    const row = byId.get(writeText(entry.chunk.id));
    if (row?.textKey === textKey(entry.chunk, document)) kept.set(entry, row);
  }
  return kept;
}

/** Adds the chunks of documents that have a vector to the count of each space, or takes them off. */
async function countEmbedded(
  ask: Ask,
  { index }: Names,
  documents: readonly number[],
  sign: 1 | -1,
): Promise<void> {
  if (documents.length === 0) return;
  await ask(
    `UPDATE ${index}.spaces s SET embedded = embedded + $2::integer * counted.chunks
     FROM (SELECT v.space, count(*) AS chunks FROM ${index}.chunks c JOIN ${index}.vectors v ON v.embedding = c.embedding
       WHERE c.document = ANY($1::bigint[]) GROUP BY v.space) counted
     WHERE s.number = counted.space`,
    [documents, sign],
  );
}

async function removeChunks(ask: Ask, names: Names, chunks: readonly StoredChunk[]): Promise<void> {
  if (chunks.length === 0) return;
  const numbers = chunks.map(({ number }) => number);
  await removeTerms(ask, names, numbers);
  await ask(`DELETE FROM ${names.index}.chunks WHERE number = ANY($1::bigint[])`, [numbers]);
}

/** Removes those of the embeddings that no chunk refers to any more; their vectors go with them. */
async function removeOrphans(ask: Ask, { index }: Names, embeddings: readonly number[]): Promise<void> {
  if (embeddings.length === 0) return;
  await ask(
    `DELETE FROM ${index}.embeddings e WHERE number = ANY($1::bigint[])
     AND NOT EXISTS (SELECT 1 FROM ${index}.chunks c WHERE c.embedding = e.number)`,
    [embeddings],
  );
}

/** An update keeps the number, and so the place in the order in which documents came. */
async function upsertDocument(ask: Ask, { index }: Names, document: DocumentRecord): Promise<number> {
  const id = writeText(document.id);
  const columns = 'uri_key, uri, title, type, origin, language, media_type, revision, modified_at, metadata';
  const [row] = await ask(
    `INSERT INTO ${index}.documents (id, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (id) DO UPDATE SET (${columns}) =
       (${columns
         .split(', ')
         .map((name) => `excluded.${name}`)
         .join(', ')}) RETURNING number`,
    [
      id,
      uriKey(document.uri),
      writeText(document.uri),
      writeText(document.title),
      writeText(document.type),
      document.origin,
      writeText(String(document.metadata.language ?? '')),
      writeText(document.mediaType),
      writeText(document.revision),
      document.modifiedAt,
      writeText(JSON.stringify(document.metadata)),
    ],
  );
  return Number(row?.number);
}

/** Numbers rise in the order of the chunks, in which vectors are then made. */
async function insertEmbeddings(ask: Ask, { index }: Names, entries: readonly ChunkEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await ask(
    `INSERT INTO ${index}.embeddings (key)
     SELECT key FROM unnest($1::text[]) WITH ORDINALITY AS given (key, place)
     WHERE NOT EXISTS (SELECT 1 FROM ${index}.embeddings e WHERE e.key = given.key) ORDER BY place`,
    [[...new Set(entries.map(({ embeddingKey }) => writeText(embeddingKey)))]],
  );
}

const chunkColumns = `id, ordinal, span_start, span_end, first_line, last_line, place, written_at, text, header, section,
  symbol, symbol_kind, metadata, text_key`;

async function insertChunks(
  ask: Ask,
  names: Names,
  document: number,
  record: DocumentRecord,
  entries: readonly ChunkEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ chunk, embeddingKey }) => ({
    ...placeColumns(chunk),
    key: writeText(embeddingKey),
    id: writeText(chunk.id),
    text: writeText(chunk.text),
    section: writeText(chunk.section),
    symbol: chunk.symbol ? writeText(JSON.stringify(chunk.symbol)) : null,
    symbol_kind: writeText(chunk.symbol?.kind ?? ''),
    text_key: textKey(chunk, record),
  }));
  const inserted = await ask(
    `INSERT INTO ${names.index}.chunks (document, embedding, ${chunkColumns})
     SELECT $1::bigint, e.number, ${chunkColumns} FROM json_to_recordset($2::text::json) AS row (
       key text, id text, ordinal integer, span_start integer, span_end integer, first_line integer, last_line integer,
       place text, written_at double precision, text text, header text, section text, symbol text, symbol_kind text,
       metadata text, text_key text
     ) JOIN ${names.index}.embeddings e USING (key) ORDER BY ordinal RETURNING number, ordinal`,
    [document, JSON.stringify(rows)],
  );
  const numbers = new Map(inserted.map(({ number, ordinal }) => [Number(ordinal), Number(number)]));
  await insertTerms(
    ask,
    names,
    entries.map(({ chunk }) => ({ chunk: numbers.get(chunk.ordinal) ?? 0, ...chunkTerms(chunk, record) })),
  );
}

/** Brings rows that stay to the place that their chunk has now; those that are there already are not written. */
async function updateChunks(
  ask: Ask,
  { index }: Names,
  document: number,
  kept: ReadonlyMap<ChunkEntry, StoredChunk>,
): Promise<void> {
  if (kept.size === 0) return;
  const rows = [...kept].map(([{ chunk, embeddingKey }, { number }]) => ({
    ...placeColumns(chunk),
    number,
    key: writeText(embeddingKey),
    symbol: chunk.symbol ? writeText(JSON.stringify(chunk.symbol)) : null,
    symbol_kind: writeText(chunk.symbol?.kind ?? ''),
  }));
  const columns =
    'ordinal, span_start, span_end, first_line, last_line, place, written_at, header, symbol, symbol_kind, metadata';
  const of = (table: string) =>
    columns
      .split(', ')
      .map((name) => `${table}.${name}`)
      .join(', ');
  await ask(
    `UPDATE ${index}.chunks c SET (document, embedding, ${columns}) = ($1::bigint, e.number, ${of('given')})
     FROM json_to_recordset($2::text::json) AS given (
       number bigint, key text, ordinal integer, span_start integer, span_end integer, first_line integer,
       last_line integer, place text, written_at double precision, header text, symbol text, symbol_kind text,
       metadata text
     ) JOIN ${index}.embeddings e USING (key)
     WHERE c.number = given.number AND (c.document, c.embedding, ${of('c')}) IS DISTINCT FROM
       ($1::bigint, e.number, ${of('given')})`,
    [document, JSON.stringify(rows)],
  );
}

/** What a chunk's row holds that may change while its words stay. */
function placeColumns(chunk: Chunk): Readonly<Record<string, unknown>> {
  return {
    ordinal: chunk.ordinal,
    span_start: chunk.span.start,
    span_end: chunk.span.end,
    first_line: chunk.span.firstLine,
    last_line: chunk.span.lastLine,
    place: writePlace(chunk),
    written_at: chunk.writtenAt ?? null,
    header: writeText(chunk.header),
    metadata: writeText(JSON.stringify(chunk.metadata)),
  };
}
