import type { Connection } from '../file/connection.ts';

/**
 * Taking a row out of the text index leaves its words in the file until the segments they stand in are merged.
 * FTS5 can cut them out at once (`secure-delete`), at some milliseconds a row; merging everything costs some
 * microseconds for each row that stays. So few rows are cut out, many are left lingering until a merge, and neither
 * way ever costs more than about twice the cheaper one.
 */
const mergeWorth = 200;

/** Pages that one step of a merge writes: some milliseconds, after which other work gets its turn. */
const pagesPerStep = 500;

/** A text index of fewer pages is quick in however many pieces. */
const minPages = 200;
/** It is in one piece where the largest has this part of all pages. */
const joinedPart = 0.75;

/** Decides how the words of so many rows leave the file, and remembers it; to be called before they are removed. */
export function prepareRemoval(connection: Connection, count: number): void {
  const { removed } = upkeep(connection);
  const isThorough = (removed + count) * mergeWorth <= textRows(connection);
  setThorough(connection, isThorough);
  connection.run(
    'UPDATE text_upkeep SET removed = removed + ?, lingering = lingering + ?',
    count,
    isThorough ? 0 : count,
  );
}

/** How many removed rows still have words in the file. */
export function lingeringRows(connection: Connection): number {
  return upkeep(connection).lingering;
}

/** Rids the file of the words of removed rows, in small steps. */
export async function mergeText(connection: Connection, patience: number): Promise<void> {
  const done = await connection.read(() => upkeep(connection));
  if (done.lingering === 0) return;
  await mergeAll(connection, patience);
  await forget(connection, done, patience);
}

/**
 * Puts the text index into one piece where much of it stands in small ones, as after many changes. Each word of a search or
 * of a row that is removed is looked up in every piece. What is done again with every fourth part that is new costs a
 * few times the writing, and never more.
 */
export async function joinText(
  connection: Connection,
  patience: number,
  signal?: AbortSignal,
): Promise<void> {
  const { pages, largest } = await connection.read(() => pieces(connection));
  if (pages < minPages || largest >= joinedPart * pages) return;
  const before = await connection.read(() => upkeep(connection));
  if (await mergeAll(connection, patience, signal)) await forget(connection, before, patience);
}

/** Pages of the text index, of all pieces and of the largest, as its own table of contents has them. */
function pieces(connection: Connection): { pages: number; largest: number } {
  const row = connection.get(
    `SELECT coalesce(sum(pages), 0) AS pages, coalesce(max(pages), 0) AS largest
     FROM (SELECT count(*) AS pages FROM chunk_terms_idx GROUP BY segid)`,
  );
  return { pages: Number(row?.pages), largest: Number(row?.largest) };
}

/** Whether it came to the end; what was stopped is taken up by the next merge. */
async function mergeAll(connection: Connection, patience: number, signal?: AbortSignal): Promise<boolean> {
  // A negative number begins a merge of everything; positive ones continue it until nothing is left to do.
  let pages = -pagesPerStep;
  while (await connection.maintain(() => mergeStep(connection, pages), patience)) {
    if (signal?.aborted) return false;
    pages = pagesPerStep;
    await connection.pause();
  }
  return true;
}

/** Takes what a merge has ended out of the record of what was removed. */
async function forget(connection: Connection, done: Removals, patience: number): Promise<void> {
  await connection.maintain(
    () =>
      connection.run(
        'UPDATE text_upkeep SET removed = max(0, removed - ?), lingering = max(0, lingering - ?)',
        done.removed,
        done.lingering,
      ),
    patience,
  );
}

/** Whether there was something to merge; FTS5 itself says so by the number of rows it changed. */
function mergeStep(connection: Connection, pages: number): boolean {
  const before = changes(connection);
  connection.run("INSERT INTO chunk_terms (chunk_terms, rank) VALUES ('merge', ?)", pages);
  return changes(connection) - before >= 2;
}

function changes(connection: Connection): number {
  return Number(connection.get('SELECT total_changes() AS value')?.value);
}

function setThorough(connection: Connection, isThorough: boolean): void {
  const wanted = isThorough ? 1 : 0;
  const row = connection.get("SELECT v FROM chunk_terms_config WHERE k = 'secure-delete'");
  if (Number(row?.v ?? 0) === wanted) return;
  // As part of the statement: a number that is bound arrives as a fraction, which FTS5 does not take.
  connection.run(`INSERT INTO chunk_terms (chunk_terms, rank) VALUES ('secure-delete', ${wanted})`);
}

/** Rows that were removed since the last merge of everything, and those of them that still have words in the file. */
interface Removals {
  readonly removed: number;
  readonly lingering: number;
}

function upkeep(connection: Connection): Removals {
  const row = connection.get('SELECT removed, lingering FROM text_upkeep');
  return { removed: Number(row?.removed), lingering: Number(row?.lingering) };
}

/** How many rows the text index holds, as it counts them itself. */
export function textRows(connection: Connection): number {
  // Row 1 is FTS5's record of averages: the number of rows, then the number of terms in each column, as varints.
  const block = connection.get('SELECT block FROM chunk_terms_data WHERE id = 1')?.block;
  return block instanceof Uint8Array ? firstVarint(block) : 0;
}

function firstVarint(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) break;
  }
  return value;
}
