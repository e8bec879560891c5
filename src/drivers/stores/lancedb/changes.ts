import { isDeepStrictEqual } from 'node:util';
import type { Changes, Committed, DocumentChange, VectorEntry } from '../../../contracts/store.ts';
import { documentId } from '../../../core/identity.ts';
import type { MergeConditions } from './merge-conditions.ts';
import {
  chunkRow,
  documentRow,
  factKey,
  factRow,
  manifestKey,
  manifestRow,
  oneOf,
  type Row,
  readRecord,
  readRow,
  sealed,
} from './rows.ts';
import { mergeRows, type Opened } from './table.ts';
import { assertVectors, dropSpaces, ensureSpace, insertVectors, parts, storedTexts } from './vectors.ts';
import type { Space, View } from './view.ts';

/** Documents in one condition. */
const maxIds = 5_000;

/** Makes all changes of a commit. The rows change in one step; columns of new spaces are there before, those of dropped ones go after it. */
export async function applyChanges(opened: Opened, view: View, changes: Changes): Promise<Committed> {
  const { removed = [], documents = [], droppedSpaces = [] } = changes;
  const replaced = await replacedRecords(opened, documents);
  const stored = documents.map(({ replaces }) => !replaces || replaced.has(manifestKey(replaces.uri)));
  const taken = documents.filter((_, place) => stored[place]);
  const ids = [...new Set(removed.map(documentId))];
  const count = await countDocuments(opened, ids);
  const spaces = await ensureSpaces(opened, view, vectorsOf(taken, changes));
  const conditions = { fences: changes.fences ?? new Map(), records: replaced };
  await changeRows(opened, view, spaces, { ...changes, documents: taken }, ids, conditions);
  if (droppedSpaces.length > 0) await dropSpaces(opened, view, droppedSpaces);
  return { removed: count, stored };
}

/** The manifest entries that documents are to replace, by their keys and as they are stored; those that are others by now are left out. */
async function replacedRecords(
  { table, seal }: Opened,
  documents: readonly DocumentChange[],
): Promise<Map<string, string>> {
  const expected = new Map(
    documents.flatMap(({ replaces }) => (replaces ? [[manifestKey(replaces.uri), replaces] as const] : [])),
  );
  const records = new Map<string, string>();
  for (const part of parts([...expected.keys()], maxIds)) {
    const rows = await table
      .query()
      .where(`kind = 'manifest' AND ${oneOf('key', part)}`)
      .select(['key', 'record'])
      .toArray();
    for (const row of rows)
      if (isDeepStrictEqual(readRecord(seal, 'manifest', row), expected.get(row.key)))
        records.set(row.key, String(row.record));
  }
  return records;
}

/** Vectors of documents and of other texts by the name of their space; each space has some. */
function vectorsOf(documents: readonly DocumentChange[], { vectors }: Changes): Map<string, VectorEntry[]> {
  const all = new Map<string, VectorEntry[]>();
  for (const given of [...documents.map((change) => change.vectors), vectors])
    for (const [space, entries] of given ?? [])
      if (entries.length > 0) all.set(space, [...(all.get(space) ?? []), ...entries]);
  return all;
}

/** The spaces of these vectors, with the vectors that come into them by key. */
async function ensureSpaces(
  opened: Opened,
  view: View,
  given: ReadonlyMap<string, readonly VectorEntry[]>,
): Promise<Map<Space, Map<string, Float32Array>>> {
  const known = await view.spaces();
  for (const [name, entries] of given) assertVectors(known.get(name), entries);
  const spaces = new Map<Space, Map<string, Float32Array>>();
  for (const [name, entries] of given) {
    const space = await ensureSpace(opened, view, name, entries[0]?.vector.length ?? 0);
    spaces.set(space, new Map(entries.map(({ embeddingKey, vector }) => [embeddingKey, vector])));
  }
  return spaces;
}

async function changeRows(
  opened: Opened,
  view: View,
  given: ReadonlyMap<Space, ReadonlyMap<string, Float32Array>>,
  { documents = [], manifest = [], vectors, facts = new Map() }: Changes,
  removedIds: readonly string[],
  conditions: MergeConditions,
): Promise<void> {
  const { seal } = opened;
  const isOfRows = documents.length + manifest.length + facts.size > 0;
  const [only] = given;
  if (!isOfRows && removedIds.length === 0 && given.size === 1 && only) {
    await insertVectors(opened, ...only, conditions);
    return;
  }
  const ids = documents.map(({ document }) => document.id);
  const rows = [
    ...(await documentRows(opened, view, given, documents)),
    ...manifest.map(manifestRow),
    ...[...facts].flatMap(([name, value]) => (value === undefined ? [] : [factRow(name, value)])),
  ].map((row) => sealed(seal, row));
  const others = vectors ? await rowsOfTexts(opened, given, new Set([...ids, ...removedIds])) : [];
  const all = [...new Map([...others, ...rows].map((row) => [row.key, row])).values()];
  const gone = [
    `(${oneOf('document', ids)} AND kind <> 'manifest')`,
    ...[...parts(removedIds, maxIds)].map((part) => oneOf('document', part)),
    oneOf('key', [...facts.keys()].map(factKey)),
  ].join(' OR ');
  // A merge that removes rows reads the whole table. So rows that must go are emptied by a merge that only replaces; the other
  // is left for the case that another commit came between the look and ours.
  const spaces = [...new Set([...(await view.spaces()).values(), ...given.keys()])];
  const surplus = await otherKeys(opened, gone, all);
  const emptied = [...all, ...surplus.map((key) => emptyRow(key, spaces))];
  if (emptied.length + conditions.fences.size === 0) return;
  const version = await mergeRows(opened, emptied, conditions);
  // The records are those that this commit has just replaced.
  if (version !== view.version + 1) await mergeRows(opened, all, { fences: conditions.fences }, gone);
}

/** The rows of documents, whose texts keep the vectors and the positions that they have. */
async function documentRows(
  opened: Opened,
  view: View,
  given: ReadonlyMap<Space, ReadonlyMap<string, Float32Array>>,
  documents: readonly DocumentChange[],
): Promise<Row[]> {
  const keys = documents.flatMap(({ chunks }) => chunks.map(({ embeddingKey }) => embeddingKey));
  const texts = await storedTexts(opened, [...(await view.spaces()).values()], keys);
  const positions = new Map<string, number>();
  return documents.flatMap(({ document, chunks, replaces, manifest = replaces }): Row[] => {
    const ofChunks = chunks.map((entry): Row => {
      const { embeddingKey } = entry;
      const text = texts.get(embeddingKey);
      const position = positions.get(embeddingKey) ?? text?.position ?? nextPosition();
      positions.set(embeddingKey, position);
      const row = { ...chunkRow(document, entry, position) };
      for (const [column, vector] of text?.vectors ?? []) Object.assign(row, vectorColumns(column, vector));
      for (const [{ column }, vectors] of given)
        Object.assign(row, vectorColumns(column, vectors.get(embeddingKey)));
      return row;
    });
    const length = ofChunks.reduce((sum, row) => sum + Number(row.length), 0);
    return [documentRow(document, length), ...(manifest ? [manifestRow(manifest)] : []), ...ofChunks];
  });
}

/** The rows of other documents whose texts get vectors, with these. */
async function rowsOfTexts(
  opened: Opened,
  given: ReadonlyMap<Space, ReadonlyMap<string, Float32Array>>,
  without: ReadonlySet<string>,
): Promise<Row[]> {
  const keys = [...new Set([...given.values()].flatMap((vectors) => [...vectors.keys()]))];
  const rows: Row[] = [];
  for (const part of parts(keys, maxIds)) {
    const found = await opened.table.query().where(oneOf('embedding_key', part)).toArray();
    for (const each of found) {
      if (without.has(String(each.document))) continue;
      const row = { ...readRow(each) };
      for (const [{ column }, vectors] of given)
        Object.assign(row, vectorColumns(column, vectors.get(String(row.embedding_key))));
      rows.push(row);
    }
  }
  return rows;
}

function vectorColumns(column: string, vector: Float32Array | undefined): Record<string, unknown> {
  return vector ? { [column]: vector, [`has_${column}`]: true } : {};
}

async function countDocuments({ table }: Opened, ids: readonly string[]): Promise<number> {
  let count = 0;
  for (const part of parts(ids, maxIds))
    count += await table.countRows(`kind = 'document' AND ${oneOf('document', part)}`);
  return count;
}

/** The keys of rows of this condition besides those that are given. */
async function otherKeys({ table }: Opened, condition: string, rows: readonly Row[]): Promise<string[]> {
  const keys = new Set(rows.map(({ key }) => key));
  const stored = await table.query().where(condition).select(['key']).toArray();
  return stored.map(({ key }) => String(key)).filter((key) => !keys.has(key));
}

/** What stays of a row that must go, until the table is tidied: nothing that any search or count looks at. */
function emptyRow(key: string, spaces: readonly Space[]): Row {
  return {
    key,
    kind: 'empty',
    ...Object.fromEntries(spaces.map(({ column }) => [`has_${column}`, false])),
  };
}

let lastPosition = 0;

/** Rises with the clock, so that the texts of all writers stand in the order in which they came. */
function nextPosition(): number {
  lastPosition = Math.max(lastPosition + 1, Date.now() * 1000);
  return lastPosition;
}
