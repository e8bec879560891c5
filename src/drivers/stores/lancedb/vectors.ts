import type { Schema } from 'apache-arrow';
import type { MissingVector, VectorEntry } from '../../../contracts/store.ts';
import { type Chunk, embeddedText } from '../../../core/chunk.ts';
import { sha256 } from '../../../core/identity.ts';
import { assertVector } from '../../../core/vectors/assert-vector.ts';
import { spaceFields } from './layout.ts';
import { fenceRows, type MergeConditions } from './merge-conditions.ts';
import { oneOf, type Row, readRecord, rowBatch } from './rows.ts';
import { mergeRows, mergeUnder, type Opened } from './table.ts';
import type { Space, View } from './view.ts';

/** Keys in one condition. */
const keysAtOnce = 2_000;

/** What is stored for a text: where it stands among all, and its vectors by the column of their space. */
export interface StoredText {
  readonly position: number;
  readonly vectors: Map<string, Float32Array>;
}

/** Throws where a vector does not fit; the first one fixes the length of a new space. */
export function assertVectors(space: Space | undefined, entries: readonly VectorEntry[]): void {
  const dimensions = space?.dimensions ?? entries[0]?.vector.length ?? 0;
  for (const { vector } of entries) assertVector(vector, dimensions);
}

/** The space of this name, made where there is none; another process must not make it at the same time. */
export async function ensureSpace(
  { loaded, table }: Opened,
  view: View,
  name: string,
  dimensions: number,
): Promise<Space> {
  const known = (await view.spaces()).get(name);
  if (known) return known;
  const space = { name, column: `vector_${sha256(name).slice(0, 16)}`, dimensions };
  await table.addColumns(spaceFields(loaded, space));
  return space;
}

/** Some columns of the table: rows may be written without the others. */
async function columnsOf({ loaded, table }: Opened, names: readonly string[]): Promise<Schema> {
  return new loaded.arrow.Schema((await table.schema()).fields.filter(({ name }) => names.includes(name)));
}

export async function dropSpaces({ table }: Opened, view: View, names: readonly string[]): Promise<void> {
  const known = await view.spaces();
  const columns = [...new Set(names)].flatMap((name) => known.get(name)?.column ?? []);
  if (columns.length > 0) await table.dropColumns(columns.flatMap((column) => [column, `has_${column}`]));
}

/** Gives all chunks with these keys their vectors, in one commit. */
export async function insertVectors(
  opened: Opened,
  { column }: Space,
  vectors: ReadonlyMap<string, Float32Array>,
  conditions: MergeConditions,
): Promise<void> {
  const { loaded, raised } = opened;
  const isRaised = [...conditions.fences].some(([name, fence]) => raised.get(name) !== fence);
  // This merge inserts nothing: the rows of the fences are to be there before.
  if (isRaised) await mergeRows(opened, [], conditions);
  const schema = await columnsOf(opened, ['embedding_key', column, `has_${column}`]);
  const rows: Row[] = [...vectors].map(([key, vector]) => ({
    key: '',
    embedding_key: key,
    [column]: vector,
    [`has_${column}`]: true,
  }));
  rows.push(...fenceRows(conditions));
  await mergeUnder(opened, conditions, 'embedding_key', rowBatch(loaded, schema, rows));
}

/** What is known of these texts, whichever chunks hold them. */
export async function storedTexts(
  { table }: Opened,
  spaces: readonly Space[],
  keys: readonly string[],
): Promise<Map<string, StoredText>> {
  const known = new Map<string, StoredText>();
  for (const part of parts(keys, keysAtOnce)) {
    const rows = await table
      .query()
      .where(oneOf('embedding_key', part))
      .select(['embedding_key', 'position', ...spaces.map(({ column }) => column)])
      .toArray();
    for (const row of rows) {
      const key = String(row.embedding_key);
      const text = known.get(key) ?? { position: Number(row.position), vectors: new Map() };
      for (const { column } of spaces)
        if (row[column]) text.vectors.set(column, Float32Array.from(row[column]));
      known.set(key, text);
    }
  }
  return known;
}

export async function findKeysWithVector(
  { table }: Opened,
  view: View,
  name: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const space = (await view.spaces()).get(name);
  const found = new Set<string>();
  if (!space) return found;
  for (const part of parts(keys, keysAtOnce)) {
    const condition = `has_${space.column} AND ${oneOf('embedding_key', part)}`;
    const rows = await table.query().where(condition).select(['embedding_key']).toArray();
    for (const row of rows) found.add(String(row.embedding_key));
  }
  return new Set(keys.filter((key) => found.has(key)));
}

/** Distinct texts without a vector, by rising position; all chunks of one text share it. */
export async function findMissingVectors(
  { table, seal }: Opened,
  view: View,
  name: string,
  limit: number,
  after: number,
): Promise<MissingVector[]> {
  if (limit <= 0) return [];
  const space = (await view.spaces()).get(name);
  const lacking = space ? `AND has_${space.column} IS NOT TRUE` : '';
  for (let max = limit + 16; ; max *= 4) {
    const rows = await table
      .query()
      .where(`kind = 'chunk' AND position > ${after} ${lacking}`)
      .select(['embedding_key', 'position', 'record'])
      .orderBy([{ columnName: 'position' }])
      .limit(max)
      .toArray();
    const missing = new Map<string, MissingVector>();
    for (const row of rows) {
      const embeddingKey = String(row.embedding_key);
      if (missing.has(embeddingKey) || missing.size === limit) continue;
      const text = embeddedText(readRecord<Chunk>(seal, 'chunk', row));
      missing.set(embeddingKey, { embeddingKey, text, position: Number(row.position) });
    }
    if (missing.size === limit || rows.length < max) return [...missing.values()];
  }
}

/** The names, so many at a time. */
export function* parts(names: readonly string[], size: number): Generator<readonly string[]> {
  for (let start = 0; start < names.length; start += size) yield names.slice(start, start + size);
}
