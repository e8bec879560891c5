import { isDeepStrictEqual } from 'node:util';
import type { ManifestEntry } from '../../../contracts/store.ts';
import { documentId } from '../../../core/identity.ts';
import { givenVectors, type Replacement } from '../replacement.ts';
import { chunkRow, documentRow, manifestRow, oneOf, quoted, type Row, readRecord } from './rows.ts';
import { mergeRows, type Opened } from './table.ts';
import { assertVectors, ensureSpace, type StoredText, storedTexts } from './vectors.ts';
import type { Space, View } from './view.ts';

/** Replaces documents with their chunks, vectors and manifest entries in one commit; one that is to replace a certain entry is alone. */
export async function replaceDocuments(
  opened: Opened,
  view: View,
  group: readonly Replacement[],
): Promise<boolean> {
  const { table } = opened;
  const replaces = group[0]?.replaces;
  if (replaces && !(await isEntry(opened, replaces))) return false;
  const texts = await knownTexts(opened, view, group);
  const positions = new Map<string, number>();
  const rows = group.flatMap(({ document, chunks, manifest }): Row[] => {
    const ofChunks = chunks.map((entry): Row => {
      const { embeddingKey } = entry;
      const position = positions.get(embeddingKey) ?? texts.get(embeddingKey)?.position ?? nextPosition();
      positions.set(embeddingKey, position);
      const ofSpaces: Record<string, unknown> = {};
      for (const [column, vector] of texts.get(embeddingKey)?.vectors ?? [])
        Object.assign(ofSpaces, { [column]: vector, [`has_${column}`]: true });
      return { ...chunkRow(document, entry, position), ...ofSpaces };
    });
    const length = ofChunks.reduce((sum, row) => sum + Number(row.length), 0);
    return [documentRow(document, length), ...(manifest ? [manifestRow(manifest)] : []), ...ofChunks];
  });
  const ofGroup = `${oneOf(
    'document',
    group.map(({ document }) => document.id),
  )} AND kind <> 'manifest'`;
  const whole = () => mergeRows(opened, rows, ofGroup);
  if (replaces) {
    const before = await table.version();
    const version = await whole();
    return version === before + 1 || mayStand(opened, version, replaces);
  }
  // A merge that removes rows reads the whole table. So rows that must go are emptied by a merge that only replaces; the other
  // is left for the case that another commit came between the look and ours.
  const spaces = [...(await view.spaces()).values()];
  const surplus = await otherKeys(opened, ofGroup, rows);
  const version = await mergeRows(opened, [...rows, ...surplus.map((key) => emptyRow(key, spaces))]);
  if (version !== view.version + 1) await whole();
  return true;
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

/** What is known of the texts of documents, with the vectors that come with them; makes spaces that are new. */
async function knownTexts(
  opened: Opened,
  view: View,
  group: readonly Replacement[],
): Promise<ReadonlyMap<string, Partial<StoredText>>> {
  const spaces = await view.spaces();
  const given = givenVectors(group);
  for (const [name, entries] of given) assertVectors(spaces.get(name), entries);
  const keys = group.flatMap(({ chunks }) => chunks.map(({ embeddingKey }) => embeddingKey));
  const known: Map<string, Partial<StoredText>> = await storedTexts(opened, [...spaces.values()], keys);
  for (const [name, entries] of given) {
    const { column } = await ensureSpace(opened, view, name, entries[0]?.vector.length ?? 0);
    for (const { embeddingKey, vector } of entries) {
      const text = known.get(embeddingKey);
      known.set(embeddingKey, { ...text, vectors: new Map(text?.vectors).set(column, vector) });
    }
  }
  return known;
}

/**
 * Whether what was put replaced what it was to replace. Another commit came between the look and ours; where it changed this
 * very path, what we put is taken back with the entry of the path, so that the next run reads the file again.
 */
async function mayStand({ table, seal }: Opened, version: number, replaces: ManifestEntry): Promise<boolean> {
  const condition = `key = ${quoted(manifestRow(replaces).key)}`;
  await table.checkout(version - 1);
  try {
    const [row] = await table.query().where(condition).select(['record']).limit(1).toArray();
    if (row && isDeepStrictEqual(readRecord(seal, 'manifest', row), replaces)) return true;
  } finally {
    await table.checkoutLatest();
  }
  await table.delete(`document = ${quoted(documentId(replaces.uri))}`);
  return false;
}

async function isEntry({ table, seal }: Opened, entry: ManifestEntry): Promise<boolean> {
  const condition = `key = ${quoted(manifestRow(entry).key)}`;
  const [row] = await table.query().where(condition).select(['record']).limit(1).toArray();
  return row !== undefined && isDeepStrictEqual(readRecord(seal, 'manifest', row), entry);
}

let lastPosition = 0;

/** Rises with the clock, so that the texts of all writers stand in the order in which they came. */
function nextPosition(): number {
  lastPosition = Math.max(lastPosition + 1, Date.now() * 1000);
  return lastPosition;
}
