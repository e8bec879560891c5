import type { Connection, MergeInsertBuilder, Table } from '@lancedb/lancedb';
import type { DriverContext } from '../../../contracts/driver.ts';
import { systemClock } from '../../../platform/clock.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { once } from '../../../platform/once.ts';
import { ensureOwnFolder, requirePlainContent } from '../../../platform/own-files.ts';
import { createSerialQueue } from '../../../platform/serial-queue.ts';
import { closedStore } from '../closed-store.ts';
import { isConflict, isGone, isOvertaken, lanceFailure } from './failures.ts';
import { openTable } from './layout.ts';
import { type Location, tableName } from './location.ts';
import { fenceRows, type MergeConditions, mergeCondition, refusalOf } from './merge-conditions.ts';
import { type LancePackage, loadLance } from './package.ts';
import { isEmpty, type Row, rowBatch } from './rows.ts';
import type { Seal } from './seal.ts';
import { View } from './view.ts';

/** How often work is done again when another writer was quicker. */
const maxAttempts = 12;
/**
 * Commits after which small files are put together; each adds some. That reads and writes the whole table, so that a large
 * one waits longer: filling it takes time in proportion to its size.
 */
const commitsBeforeUpkeep = (rows: number) => 50 + rows / 4_000;
/** Milliseconds for which previous versions stay, for those who read them. */
const grace = 10 * 60_000;

/** Connects to the place; nothing is sent before the user has agreed. */
export async function connectTo(
  { lance }: LancePackage,
  { uri, folder, isInState, address, storage, key }: Location,
  context: DriverContext,
): Promise<Connection> {
  if (folder !== undefined && isInState) ensureOwnFolder(folder);
  // A folder that the user named is made for them alone too, and stays as it is where it is there.
  else if (folder !== undefined) await makeFolder(folder, 0o700);
  if (folder !== undefined) requirePlainContent(folder);
  await requireConsent(address, context);
  return lance.connect(uri, {
    // Every read sees what others have committed.
    readConsistencyInterval: 0,
    storageOptions: { ...storage },
    ...(key !== undefined && { apiKey: key }),
  });
}

/** A folder of this machine needs none. */
async function requireConsent(address: URL | undefined, context: DriverContext): Promise<void> {
  if (address) await context.requireConsent(address);
}

/** What one call of the store works with. */
export interface Opened {
  readonly loaded: LancePackage;
  readonly table: Table;
  readonly seal: Seal;
  /** The fences that this process has written there. */
  readonly raised: Map<string, number>;
}

/** The open table of an index. */
export class IndexTable {
  readonly #location: Location;
  readonly #context: DriverContext;
  readonly #open: ReturnType<typeof once<Opened & { readonly database: Connection }>>;
  #view: View | undefined;
  readonly #writes = createSerialQueue();
  #commits = 0;
  #maxCommits = commitsBeforeUpkeep(0);
  #isClosed = false;

  constructor(location: Location, context: DriverContext, name: string) {
    this.#location = location;
    this.#context = context;
    this.#open = once(
      async () => {
        const loaded = await loadLance();
        const database = await connectTo(loaded, location, context);
        const key = location.isInProject ? await context.ownKey() : undefined;
        return {
          loaded,
          database,
          raised: new Map(),
          ...(await openTable(loaded, database, tableName(location, name), key)),
        };
      },
      async ({ table, database }) => {
        table.close();
        database.close();
      },
    );
  }

  /** Work that changes nothing. */
  async read<Result>(work: (opened: Opened, view: View) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw closedStore();
    try {
      const opened = await this.#open();
      // Consent that is withdrawn holds at once, and who answers there may have changed.
      await requireConsent(this.#location.address, this.#context);
      return await work(opened, await this.#viewOf(opened));
    } catch (thrown) {
      throw await this.#failure(thrown);
    }
  }

  /** Work that ends in one commit; the writes of this process follow each other. */
  write<Result>(work: (opened: Opened, view: View) => Promise<Result>): Promise<Result> {
    return this.#writes(async () => {
      const result = await this.build(work);
      this.#commits += 1;
      if (this.#commits >= this.#maxCommits) await this.#optimize();
      return result;
    });
  }

  /** The same for what takes long and changes no row: others may write meanwhile. Done again where a commit came between. */
  async build<Result>(work: (opened: Opened, view: View) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.read(work);
      } catch (thrown) {
        if (!isOvertaken(thrown) || attempt === maxAttempts) throw thrown;
        await systemClock.wait(20 * attempt * (1 + Math.random()));
      }
    }
  }

  /** Tidies the table where something was written. */
  optimize(): Promise<void> {
    return this.#writes(() => this.#optimize());
  }

  async #optimize(): Promise<void> {
    if (this.#commits === 0) return;
    this.#commits = 0;
    await this.read(async ({ table }) => {
      await tidy(table);
      this.#maxCommits = commitsBeforeUpkeep(await table.countRows());
    });
  }

  /** What is being written is finished first; what waits for its turn is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writes.over();
    await this.#open.close();
  }

  async #viewOf(opened: Opened): Promise<View> {
    const version = await opened.table.version();
    if (this.#view?.version !== version) this.#view = new View(opened, version);
    return this.#view;
  }

  async #failure(thrown: unknown): Promise<Error> {
    // What was taken away is opened again by the next call.
    if (isGone(thrown)) {
      this.#view = undefined;
      // It has nothing left to close.
      await this.#open.close().catch(() => {});
    }
    return lanceFailure(thrown, this.#location);
  }
}

/** Removes empty rows, puts small files together, brings indexes up to date and removes versions that nobody reads any more. */
export async function tidy(table: Table): Promise<void> {
  try {
    if ((await table.countRows(isEmpty)) > 0) await table.delete(isEmpty);
    await table.optimize({ cleanupOlderThan: new Date(Date.now() - grace) });
  } catch (thrown) {
    // Where a writer was quicker, the next time does it.
    if (!isConflict(thrown)) throw thrown;
  }
}

/** Inserts the rows, as they are written, and replaces those with the same keys, in one commit; and removes the others that `removed` names. */
export async function mergeRows(
  opened: Opened,
  given: readonly Row[],
  conditions: MergeConditions,
  removed?: string,
): Promise<number> {
  const { table, loaded } = opened;
  const rows = [...given, ...fenceRows(conditions)];
  const { fields } = await table.schema();
  // LanceDB takes no batch in which a column of vectors is all null. A row that is there keeps its own: its text is the same.
  const isUsed = ({ name }: { readonly name: string }) =>
    !/^(has_)?vector_/.test(name) || rows.some((row) => row[name] !== undefined);
  const schema = new loaded.arrow.Schema(fields.filter(isUsed));
  const version = await mergeUnder(opened, conditions, 'key', rowBatch(loaded, schema, rows), (merge) => {
    const whole = merge.whenNotMatchedInsertAll();
    return removed === undefined ? whole : whole.whenNotMatchedBySourceDelete({ where: removed });
  });
  for (const [name, fence] of conditions.fences) opened.raised.set(name, fence);
  return version;
}

/** A merge that replaces rows with the same value in a column, where the conditions hold. */
export async function mergeUnder(
  { table }: Opened,
  conditions: MergeConditions,
  column: string,
  batch: Parameters<MergeInsertBuilder['execute']>[0],
  further: (merge: MergeInsertBuilder) => MergeInsertBuilder = (merge) => merge,
): Promise<number> {
  const merge = further(table.mergeInsert(column).whenMatchedUpdateAll(mergeCondition(conditions)));
  try {
    // Through an index two writers would insert one key twice.
    return (await merge.useIndex(false).execute(batch)).version;
  } catch (thrown) {
    throw await refusalOf(thrown, table, conditions);
  }
}
