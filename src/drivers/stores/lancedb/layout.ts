import type { Connection, Table } from '@lancedb/lancedb';
import type { Field, Schema } from 'apache-arrow';
import { messageOf } from '../../../core/errors.ts';
import { checkLayout } from '../check-layout.ts';
import type { LancePackage } from './package.ts';
import { type Row, rowBatch } from './rows.ts';
import { foreignTable, newIdentity, noSeal, type Seal, sealFor } from './seal.ts';
import { type Space, spaceName } from './view.ts';

/** The layout that this Quarry writes; an index of a later one is left alone. */
const layoutVersion = 1;
const layoutKey = 'layout';
const textIndex = 'words_idx';

/**
 * One table holds everything of an index, a row for each document, chunk, manifest entry and fact: LanceDB
 * commits one table in one step, so that a document is replaced with all that belongs to it or not at all.
 */
function tableSchema({ arrow }: LancePackage): Schema {
  const { Field: Column, Float64, Int32, Schema: Columns, Utf8 } = arrow;
  const text = (name: string) => new Column(name, new Utf8(), true);
  // Two writers that insert the same key are noticed only where it is declared so.
  const unique = new Map([['lance-schema:unenforced-primary-key', 'true']]);
  return new Columns([
    new Column('key', new Utf8(), false, unique),
    text('kind'),
    text('document'),
    text('type'),
    text('origin'),
    text('language'),
    text('symbol_kind'),
    new Column('moment', new Float64(), true),
    new Column('written_at', new Float64(), true),
    new Column('ordinal', new Int32(), true),
    text('embedding_key'),
    // Rises with each new text, and is the same for all chunks with that text.
    new Column('position', new Float64(), true),
    new Column('length', new Int32(), true),
    // Every word in its place, to score by; and what the text index holds.
    text('lines'),
    text('words'),
    text('record'),
    // The document of a chunk, so that a hit needs no second look.
    text('owner'),
  ]);
}

/** The two columns of a space: its vectors, and which rows have one, which can be counted without reading vectors. */
export function spaceFields({ arrow }: LancePackage, { name, column, dimensions }: Space): Field[] {
  const { Bool, Field: Column, FixedSizeList, Float32 } = arrow;
  const item = new Column('item', new Float32(), true);
  return [
    new Column(column, new FixedSizeList(dimensions, item), true, new Map([[spaceName, name]])),
    new Column(`has_${column}`, new Bool(), true),
  ];
}

/** Opens the table of an index, and makes it where there is none. */
export async function openTable(
  loaded: LancePackage,
  database: Connection,
  name: string,
  /** With it a table is proven to be this user's, and all that is written into it. */
  key: Uint8Array | undefined,
): Promise<{ readonly table: Table; readonly seal: Seal }> {
  const table = (await present(database, name)) ?? (await create(loaded, database, name, key));
  const seal = await checkTable(table, name, key);
  // A process may have ended between making the table and its text index.
  const indices = await table.listIndices();
  if (!indices.some((index) => index.name === textIndex)) await indexText(loaded, table);
  return { table, seal };
}

async function present(database: Connection, name: string): Promise<Table | undefined> {
  try {
    return await database.openTable(name);
  } catch (thrown) {
    if (/was not found|not found/i.test(messageOf(thrown))) return undefined;
    throw thrown;
  }
}

async function create(
  loaded: LancePackage,
  database: Connection,
  name: string,
  key: Uint8Array | undefined,
): Promise<Table> {
  const record = key ? `${layoutVersion} ${newIdentity(key)}` : String(layoutVersion);
  // The text index ranks wrongly while it holds nothing, so that this row has a word.
  const row: Row = { key: layoutKey, kind: 'layout', words: '\0layout', record };
  const schema = tableSchema(loaded);
  try {
    return await database.createTable({ name, data: rowBatch(loaded, schema, [row]), schema });
  } catch (thrown) {
    // Another process was quicker.
    const made = await present(database, name);
    if (made) return made;
    throw thrown;
  }
}

async function checkTable(table: Table, name: string, key: Uint8Array | undefined): Promise<Seal> {
  const [row] = await table.query().where(`key = '${layoutKey}'`).select(['record']).limit(1).toArray();
  const [version = '', ...identity] = String(row?.record).split(' ');
  const seal = key ? sealFor(key, identity.join(' ')) : noSeal;
  if (!seal) throw foreignTable(name);
  checkLayout(name, Number(version), layoutVersion);
  return seal;
}

async function indexText({ lance }: LancePackage, table: Table): Promise<void> {
  await table.createIndex('words', {
    config: lance.Index.fts({
      // The core has made the words: nothing is left to decide.
      baseTokenizer: 'whitespace',
      lowercase: false,
      stem: false,
      removeStopWords: false,
      asciiFolding: false,
      withPosition: false,
      maxTokenLength: 1_000_000,
    }),
  });
}
