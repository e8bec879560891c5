import { resolve } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { QuarryError } from '../../../../core/errors.ts';
import { type Clock, systemClock } from '../../../../platform/clock.ts';
import type { Proof } from '../../../../platform/proof.ts';
import { inTransaction, type TransactionKind } from '../../../../platform/sqlite/transaction.ts';
import { closedStore } from '../../closed-store.ts';
import type { Row } from '../../sql-rows.ts';
import { hasExpectedSchema } from '../layout/schema.ts';
import { type Evidence, storeFailure } from './failures.ts';
import { fileGone, isFileAt } from './file-identity.ts';
import { hasChanged, hasLog, inMemory, mayWrite, type OpenDatabase, openDatabase } from './open-database.ts';

/** How a connection is meant. */
export interface ConnectionOptions {
  /** How long a call waits for a writer of another process before it gives up, in milliseconds. */
  readonly busyTimeout?: number | undefined;
  /** Opens the file as one that nobody writes, as is done by itself where its folder cannot be written. */
  readonly still?: boolean | undefined;
  readonly clock?: Clock | undefined;
  /** The user's key, with which everything is proven that stands in the file; without it a row shows only that it is whole. */
  readonly key?: Uint8Array | undefined;
}

/** How another thread opens the same file. */
export interface Elsewhere {
  readonly path: string;
  /** Which file it is: another one may take its place. */
  readonly identity: string;
  readonly key: Uint8Array;
}

const defaultBusyTimeout = 10_000;
/** How long SQLite itself waits, in milliseconds: the whole process stands still meanwhile. */
const blockingTimeout = 10;
/** Milliseconds between two attempts. */
const pauseBetweenAttempts = 20;

/** One open database file: transactions, prepared statements, and SQLite's failures in the user's words. */
export class Connection {
  readonly path: string;
  readonly #options: ConnectionOptions;
  readonly #clock: Clock;
  readonly #statements = new Map<string, StatementSync>();
  #opened: OpenDatabase | undefined;
  #proof: Proof | undefined;
  #openings = 0;
  /** Resolves when the writes that were asked for so far are done. */
  #writes: Promise<unknown> = Promise.resolve();

  constructor(path: string, options: ConnectionOptions = {}) {
    // The same file, whichever folder the process goes to.
    this.path = path === inMemory ? path : resolve(path);
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#open(options.still);
  }

  /** How often the file was opened: one that was only read may be another one after each time. */
  get opening(): number {
    return this.#openings;
  }

  /** The user's key, or none. */
  get key(): Uint8Array {
    return this.#options.key ?? new Uint8Array();
  }

  /** Proves what stands in the file. */
  get proof(): Proof {
    if (!this.#proof) throw closedStore();
    return this.#proof;
  }

  /** Whether the file that is open still has its name: SQLite continues with it wherever it was moved. */
  isInPlace(): boolean {
    return isFileAt(this.path, this.#opened?.identity);
  }

  /** How another thread opens it; undefined where it would not see the same: in memory, taken away, or opened as one that nobody writes. */
  elsewhere(): Elsewhere | undefined {
    const { path, key } = this;
    const { identity, stillness } = this.#opened ?? {};
    if (path === inMemory || !identity || stillness || !this.isInPlace()) return undefined;
    // A copy: a message takes along all of the memory that a view is part of.
    return { path, identity, key: new Uint8Array(key) };
  }

  /** Another connection to the same file; undefined where nobody else can see it: in memory, or taken away. */
  sibling(): Connection | undefined {
    if (!this.#opened) throw closedStore();
    if (this.path === inMemory || !this.isInPlace()) return undefined;
    return new Connection(this.path, this.#options);
  }

  /** Runs statements that all see one state of the file. */
  read<Result>(work: () => Result): Promise<Result> {
    return this.#patiently(() => this.#transaction('read', work));
  }

  /** Runs statements that are committed together, or not at all when `work` throws; moves the revision. */
  write<Result>(work: () => Result): Promise<Result> {
    return this.maintain(() => this.#revised(work));
  }

  /** Like `write`, for work that changes nothing a reader could see: the revision stays. */
  maintain<Result>(work: () => Result, patience?: number): Promise<Result> {
    // One after the other in the order of the calls, so that an earlier one that has to wait never undoes a later one.
    const turn = this.#writes.then(() => this.#patiently(() => this.#change(work), patience));
    // The caller hears of it; the next write only waits for its turn.
    this.#writes = turn.catch(() => undefined);
    return turn;
  }

  /** Keeps one state of the file in sight until the connection is closed. */
  hold(): void {
    this.execute('BEGIN');
  }

  /** Lets other work of the process have its turn. */
  async pause(): Promise<void> {
    await this.#clock.wait(0);
  }

  /** Brings what was committed into the file itself and empties the log of it; false where a reader needs that log. */
  checkpoint(): boolean {
    if (!this.isInPlace()) return true;
    const row = this.#guard(() => this.#database().prepare('PRAGMA wal_checkpoint(TRUNCATE)').get());
    return row?.busy !== 1;
  }

  all(sql: string, ...parameters: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...parameters);
  }

  /** Rows as arrays of their columns: where they are many, these are made and read far quicker than objects. */
  tuples(sql: string, ...parameters: SQLInputValue[]): unknown[][] {
    const statement = this.#statement(sql, 'tuples');
    statement.setReturnArrays(true);
    // The declared type knows objects only.
    return statement.all(...parameters) as unknown as unknown[][];
  }

  get(sql: string, ...parameters: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...parameters);
  }

  *each(sql: string, ...parameters: SQLInputValue[]): Generator<Row> {
    const statement = this.#statement(sql);
    try {
      yield* statement.iterate(...parameters);
    } catch (error) {
      // A statement that failed half-way would throw its old error again when it is next used.
      this.#statements.delete(sql);
      throw error;
    }
  }

  /** How many rows it changed. */
  run(sql: string, ...parameters: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...parameters).changes);
  }

  /** The number of the row that it inserted; undefined where it inserted none. */
  insert(sql: string, ...parameters: SQLInputValue[]): number | undefined {
    const { changes, lastInsertRowid } = this.#statement(sql).run(...parameters);
    return Number(changes) === 0 ? undefined : Number(lastInsertRowid);
  }

  /** Runs statements that are used once, such as pragmas and changes of the layout. */
  execute(sql: string): void {
    this.#guard(() => this.#database().exec(sql));
  }

  /** Waits for the writes that were asked for; later ones are asked in vain once the connection is closed. */
  async settle(): Promise<void> {
    await this.#writes;
  }

  /** Closes the file; a second call does nothing. */
  close(): void {
    const opened = this.#opened;
    this.#opened = undefined;
    this.#statements.clear();
    if (opened) this.#guard(() => opened.database.close());
  }

  #revised<Result>(work: () => Result): Result {
    const result = work();
    this.run('UPDATE revision SET value = value + 1');
    return result;
  }

  /** Tries again, letting other work of the process run, while another process has the file for itself. */
  async #patiently<Result>(
    attempt: () => Result,
    patience = this.#options.busyTimeout ?? defaultBusyTimeout,
  ): Promise<Result> {
    const end = this.#clock.now() + patience;
    for (;;) {
      try {
        return attempt();
      } catch (error) {
        const isBusy = error instanceof QuarryError && error.code === 'store-busy';
        if (!isBusy || this.#clock.now() >= end) throw error;
      }
      await this.#clock.wait(pauseBetweenAttempts);
    }
  }

  #change<Result>(work: () => Result): Result {
    if (!this.isInPlace()) throw fileGone(this.path);
    const result = this.#transaction('immediate', work);
    // A change of a file that was taken away meanwhile is lost with it.
    if (!this.isInPlace()) throw fileGone(this.path);
    return result;
  }

  #transaction<Result>(kind: TransactionKind, work: () => Result): Result {
    this.#refresh();
    const database = this.#database();
    return this.#guard(() => inTransaction(database, kind, work));
  }

  #statement(sql: string, form = 'objects'): StatementSync {
    const key = form === 'objects' ? sql : `${form}: ${sql}`;
    const known = this.#statements.get(key);
    if (known) return known;
    const statement = this.#database().prepare(sql);
    this.#statements.set(key, statement);
    return statement;
  }

  /** Opens the file again when it has changed although nobody was expected to write it. */
  #refresh(): void {
    const stillness = this.#opened?.stillness;
    if (!stillness || !hasChanged(this.path, stillness)) return;
    // A log says that somebody writes it after all.
    this.#open(this.#options.still && !hasLog(this.path));
  }

  /** Opens the file, in place of what was open before: that one stays where opening fails. */
  #open(isStill = false): void {
    const previous = this.#opened;
    try {
      const opened = openDatabase(this.path, this.key, isStill);
      opened.database.exec(`PRAGMA busy_timeout = ${blockingTimeout}`);
      this.#opened = opened;
      this.#proof = opened.proof;
      this.#openings += 1;
      this.#statements.clear();
    } catch (error) {
      throw storeFailure(error, this.path);
    }
    previous?.database.close();
  }

  #database(): DatabaseSync {
    if (!this.#opened) throw closedStore();
    return this.#opened.database;
  }

  #evidence(): Evidence {
    const opened = this.#opened;
    if (!opened) return {};
    return {
      hasLayout: () => hasExpectedSchema(opened.database),
      mayWrite: () => opened.stillness === undefined && mayWrite(this.path),
    };
  }

  #guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw storeFailure(error, this.path, this.#evidence());
    }
  }
}
