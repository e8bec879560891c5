import { isDeepStrictEqual } from 'node:util';
import type { ManifestEntry } from '../../../contracts/store.ts';
import { documentId } from '../../../core/identity.ts';
import type { Replacement } from '../replacement.ts';
import { chunkRow, documentRow, manifestRow, quoted, type Row, readRecord } from './rows.ts';
import { mergeRows, type Opened } from './table.ts';
import { assertVectors, ensureSpace, storedTexts } from './vectors.ts';
import type { View } from './view.ts';

/** Replaces a document with its chunks, vectors and manifest entry in one commit. */
export async function replaceDocument(
  opened: Opened,
  view: View,
  { document, chunks, manifest, vectors, replaces }: Replacement,
): Promise<boolean> {
  const { table } = opened;
  if (replaces && !(await isEntry(opened, replaces))) return false;
  const spaces = await view.spaces();
  for (const [name, entries] of vectors ?? []) assertVectors(spaces.get(name), entries);
  const given = new Map<string, Map<string, Float32Array>>();
  for (const [name, entries] of vectors ?? []) {
    const [first] = entries;
    if (!first) continue;
    const { column } = await ensureSpace(opened, view, name, first.vector.length);
    given.set(column, new Map(entries.map(({ embeddingKey, vector }) => [embeddingKey, vector])));
  }
  const known = await storedTexts(
    opened,
    [...spaces.values()],
    chunks.map(({ embeddingKey }) => embeddingKey),
  );
  const columns = new Set([...[...spaces.values()].map(({ column }) => column), ...given.keys()]);
  const positions = new Map<string, number>();
  const rows = chunks.map((entry): Row => {
    const { embeddingKey } = entry;
    const position = positions.get(embeddingKey) ?? known.get(embeddingKey)?.position ?? nextPosition();
    positions.set(embeddingKey, position);
    const ofSpaces: Record<string, unknown> = {};
    for (const column of columns) {
      const vector = given.get(column)?.get(embeddingKey) ?? known.get(embeddingKey)?.vectors.get(column);
      if (vector) Object.assign(ofSpaces, { [column]: vector, [`has_${column}`]: true });
    }
    return { ...chunkRow(document, entry, position), ...ofSpaces };
  });
  const length = rows.reduce((sum, row) => sum + Number(row.length), 0);
  const before = replaces ? await table.version() : 0;
  const version = await mergeRows(
    opened,
    [documentRow(document, length), ...(manifest ? [manifestRow(manifest)] : []), ...rows],
    `document = ${quoted(document.id)} AND kind <> 'manifest'`,
  );
  if (!replaces || version === before + 1) return true;
  return mayStand(opened, version, replaces);
}

/**
 * Whether what was put replaced what it was to replace. Another commit came between the look and ours; where it changed this
 * very path, what we put is taken back with the entry of the path, so that the next run reads the file again.
 */
async function mayStand({ table }: Opened, version: number, replaces: ManifestEntry): Promise<boolean> {
  const condition = `key = ${quoted(manifestRow(replaces).key)}`;
  await table.checkout(version - 1);
  try {
    const [row] = await table.query().where(condition).select(['record']).limit(1).toArray();
    if (row && isDeepStrictEqual(readRecord(row), replaces)) return true;
  } finally {
    await table.checkoutLatest();
  }
  await table.delete(`document = ${quoted(documentId(replaces.uri))}`);
  return false;
}

async function isEntry({ table }: Opened, entry: ManifestEntry): Promise<boolean> {
  const condition = `key = ${quoted(manifestRow(entry).key)}`;
  const [row] = await table.query().where(condition).select(['record']).limit(1).toArray();
  return row !== undefined && isDeepStrictEqual(readRecord(row), entry);
}

let lastPosition = 0;

/** Rises with the clock, so that the texts of all writers stand in the order in which they came. */
function nextPosition(): number {
  lastPosition = Math.max(lastPosition + 1, Date.now() * 1000);
  return lastPosition;
}
