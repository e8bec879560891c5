import type { Table as ArrowTable, Data, Field, Schema } from 'apache-arrow';
import type { ChunkEntry, ManifestEntry, StoreMatch } from '../../../contracts/store.ts';
import type { Chunk } from '../../../core/chunk.ts';
import type { DocumentRecord } from '../../../core/document.ts';
import { documentId, sha256 } from '../../../core/identity.ts';
import { chunkWords } from '../words.ts';
import type { LancePackage } from './package.ts';
import { foreignRow, type Seal } from './seal.ts';
import { indexTokens } from './tokens.ts';

/** A row by the names of its columns; those that are absent are null. */
export type Row = Readonly<Record<string, unknown>> & { readonly key: string };

/** The columns that `readMatch` needs. */
export const matchColumns = ['record', 'owner', 'position', 'ordinal'];

/** A condition that a row is a chunk, and one that it holds nothing any more. */
export const isChunk = "kind = 'chunk'";
export const isEmpty = "kind = 'empty'";

/** A value of SQL in which nothing has a meaning of its own. */
export function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** A condition that a column has one of the values. */
export function oneOf(column: string, values: Iterable<string>): string {
  const list = [...new Set(values)].map(quoted).join(', ');
  return list === '' ? '1 = 0' : `${column} IN (${list})`;
}

/** The rows of a document without its chunks. */
export function documentRow(document: DocumentRecord, length: number): Row {
  return { key: `d:${document.id}`, kind: 'document', document: document.id, length, ...record(document) };
}

export function manifestRow(entry: ManifestEntry): Row {
  const document = documentId(entry.uri);
  return { key: manifestKey(entry.uri), kind: 'manifest', document, ...record(entry) };
}

export function manifestKey(uri: string): string {
  return `m:${documentId(uri)}`;
}

export function factRow(name: string, value: string): Row {
  return { key: factKey(name), kind: 'fact', ...record({ name, value }) };
}

export function factKey(name: string): string {
  return `f:${sha256(name)}`;
}

/** The row of a chunk. Its key changes with its text, so that no row keeps the vector of a previous text. */
export function chunkRow(
  document: DocumentRecord,
  { chunk, embeddingKey }: ChunkEntry,
  position: number,
): Row {
  const { lines, length } = chunkWords(chunk, document);
  return {
    key: `c:${document.id}:${chunk.ordinal}:${embeddingKey}`,
    kind: 'chunk',
    document: document.id,
    type: document.type,
    origin: document.origin,
    language: String(document.metadata.language ?? ''),
    symbol_kind: chunk.symbol?.kind ?? '',
    moment: chunk.writtenAt ?? document.modifiedAt,
    written_at: chunk.writtenAt,
    ordinal: chunk.ordinal,
    embedding_key: embeddingKey,
    position,
    length,
    lines,
    words: indexTokens(lines).join(' '),
    ...record(chunk),
    owner: JSON.stringify(document),
  };
}

function record(value: unknown): { readonly record: string } {
  return { record: JSON.stringify(value) };
}

/** What a row of this kind holds; only this store writes there. */
export function readRecord<Value>(
  seal: Seal,
  kind: 'document' | 'chunk' | 'manifest' | 'fact',
  row: { readonly record?: unknown },
): Value {
  return JSON.parse(seal.read(kind, row.record)) as Value;
}

export function readMatch(seal: Seal, row: Record<string, unknown>, score: number): StoreMatch {
  const chunk = readRecord<Chunk>(seal, 'chunk', row);
  const document = JSON.parse(seal.read('owner', row.owner)) as DocumentRecord;
  if (document.id !== chunk.documentId) throw foreignRow();
  return { chunk, document, score };
}

/** A row as it stands in the table, to be written again. */
export function readRow(row: { toJSON(): Record<string, unknown> }): Row {
  const columns = Object.entries(row.toJSON()).map(([name, value]) => {
    const isVector = typeof value === 'object' && value !== null;
    return [name, isVector ? Float32Array.from(value as Iterable<number>) : (value ?? undefined)];
  });
  // Every row has its key.
  return Object.fromEntries(columns) as Row;
}

/** The row as it is written. */
export function sealed(seal: Seal, row: Row): Row {
  const { kind, record: said, owner } = row;
  if (typeof said !== 'string') return row;
  return {
    ...row,
    record: seal.write(String(kind), said),
    ...(typeof owner === 'string' && { owner: seal.write('owner', owner) }),
  };
}

/** The rows as LanceDB takes them. */
export function rowBatch({ arrow }: LancePackage, schema: Schema, rows: readonly Row[]): ArrowTable {
  const { makeData, RecordBatch, Struct, Table, vectorFromArray } = arrow;
  const column = (field: Field): Data => {
    if (arrow.DataType.isFixedSizeList(field.type)) {
      const { listSize } = field.type;
      const values = new Float32Array(rows.length * listSize);
      const present = new Uint8Array(Math.ceil(rows.length / 8));
      let nullCount = 0;
      for (const [index, row] of rows.entries()) {
        const vector = row[field.name] as Float32Array | undefined;
        if (vector) {
          values.set(vector, index * listSize);
          present[index >> 3] = (present[index >> 3] ?? 0) | (1 << (index & 7));
        } else nullCount += 1;
      }
      const child = makeData({ type: new arrow.Float32(), length: values.length, data: values });
      return makeData({ type: field.type, length: rows.length, nullCount, nullBitmap: present, child });
    }
    const [data] = vectorFromArray(
      rows.map((row) => row[field.name] ?? null),
      field.type,
    ).data;
    return data as Data;
  };
  const children = schema.fields.map(column);
  const data = makeData({ type: new Struct(schema.fields), length: rows.length, children });
  return new Table(schema, new RecordBatch(schema, data));
}
