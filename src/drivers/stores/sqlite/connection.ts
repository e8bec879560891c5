import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { loadSqlite } from '../../../platform/load-sqlite.ts';
import { closedStore } from '../admission.ts';
import { storeFailure } from './failures.ts';
import { registerPathFilter } from './filter.ts';
import { migrate } from './schema.ts';

/** A row as SQLite gives it. */
export type Row = Readonly<Record<string, unknown>>;

/** How long a writer waits for another one before it gives up, in milliseconds. */
const defaultBusyTimeout = 5_000;

// WAL lets readers go on while one process writes. With synchronous=NORMAL a committed transaction survives the
// death of the process at any moment; a power cut may take the last commits with it but never damages the file.
const pragmas = [
  // What is deleted is overwritten: a file taken out of the index leaves no text behind in it.
  'secure_delete = ON',
  'synchronous = NORMAL',
  'foreign_keys = ON',
  'journal_size_limit = 67108864',
];

/** One open database file: transactions, prepared statements, and SQLite's failures in the user's words. */
export class Connection {
  readonly #path: string;
  readonly #statements = new Map<string, StatementSync>();
  #database: DatabaseSync | undefined;

  constructor(path: string, busyTimeout: number = defaultBusyTimeout) {
    this.#path = path;
    const { DatabaseSync } = loadSqlite();
    this.#guard(() => {
      const database = new DatabaseSync(path);
      try {
        prepareDatabase(database, path, busyTimeout);
      } catch (error) {
        database.close();
        throw error;
      }
      this.#database = database;
    });
  }

  /** Runs statements that all see one state of the file. */
  read<Result>(work: () => Result): Result {
    return this.#transaction('BEGIN', work);
  }

  /** Runs statements that are committed together, or not at all when `work` throws; moves the revision. */
  write<Result>(work: () => Result): Result {
    return this.#transaction('BEGIN IMMEDIATE', () => {
      const result = work();
      this.run('UPDATE revision SET value = value + 1');
      return result;
    });
  }

  all(sql: string, ...parameters: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...parameters);
  }

  get(sql: string, ...parameters: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...parameters);
  }

  each(sql: string, ...parameters: SQLInputValue[]): Iterable<Row> {
    return this.#statement(sql).iterate(...parameters) as Iterable<Row>;
  }

  run(sql: string, ...parameters: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...parameters).changes);
  }

  /** Closes the file; a second call does nothing. */
  close(): void {
    const database = this.#database;
    this.#database = undefined;
    this.#statements.clear();
    if (database) this.#guard(() => database.close());
  }

  #transaction<Result>(begin: string, work: () => Result): Result {
    const database = this.#open();
    return this.#guard(() => {
      database.exec(begin);
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        rollBack(database);
        throw error;
      }
    });
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#open().prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #open(): DatabaseSync {
    if (!this.#database) throw closedStore();
    return this.#database;
  }

  #guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw storeFailure(error, this.#path);
    }
  }
}

function prepareDatabase(database: DatabaseSync, path: string, busyTimeout: number): void {
  database.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
  // Asking first: changing the mode needs the file for oneself, even when nothing is to change.
  if (database.prepare('PRAGMA journal_mode').get()?.journal_mode !== 'wal') {
    database.exec('PRAGMA journal_mode = WAL');
  }
  for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
  registerPathFilter(database);
  migrate(database, path);
}

// Some failures (a full disk, a damaged page) end the transaction by themselves, and then ROLLBACK complains: the
// first error is the one that tells what happened.
function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK');
  } catch {}
}
