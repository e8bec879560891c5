import { chmod, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { loadSqlite } from '../../platform/sqlite/load-sqlite.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { prepareSchema } from './cache-schema.ts';

/** How long one statement may hold up the process for another process's lock, in milliseconds. */
const busyTimeout = 25;

/** How a cache file is opened. */
export interface CacheFileAccess {
  readonly readOnly: boolean;
}

/** One open connection to the file of the cache. */
export class CacheFile {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, { readOnly }: CacheFileAccess) {
    const { DatabaseSync } = loadSqlite();
    this.#database = new DatabaseSync(path, { readOnly });
    try {
      this.#database.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
      prepareSchema(this.#database, path, readOnly);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Runs statements that all see one state of the file. */
  read<Result>(work: () => Result): Result {
    return inTransaction(this.#database, 'read', work);
  }

  /** Runs statements that are committed together, or not at all when `work` throws. */
  write<Result>(work: () => Result): Result {
    return inTransaction(this.#database, 'immediate', work);
  }

  /** A statement, prepared once. */
  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Sizes in bytes: of the whole file, and of the part of it that holds something. */
  sizes(): { readonly file: number; readonly used: number } {
    const pages = this.#pragma('page_count');
    const size = this.#pragma('page_size');
    return { file: pages * size, used: (pages - this.#pragma('freelist_count')) * size };
  }

  /** Gives some pages that hold nothing back to the disk. */
  shrink(pages: number): void {
    this.#database.exec(`PRAGMA incremental_vacuum(${pages})`);
  }

  /** Moves what the log holds into the file, as far as no reader is in the way, and cuts the log. */
  settle(): void {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #pragma(name: string): number {
    return Number(Object.values(this.statement(`PRAGMA ${name}`).get() ?? {})[0]);
  }
}

/**
 * Makes the folder and an empty file that only the user may read. A file that is there is never opened for this:
 * closing it again would take away the locks that another connection of this process holds on it.
 */
export async function makeCacheFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0 && process.platform !== 'win32') await chmod(path, 0o600);
  }
}

/** What tells a file from another one that took its name; undefined where there is none. */
export async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && `${found.dev}:${found.ino}`;
}

/** Whether there is a file without any content. */
export async function isEmptyFile(path: string): Promise<boolean> {
  return (await stat(path)).size === 0;
}

/** Where a damaged cache is kept, once, for whoever wants to know what happened. */
export function damagedPath(path: string): string {
  return `${path}.damaged`;
}

/** Renames a damaged file out of the way, unless another process has done it already. */
export async function setAside(path: string, identity: string | undefined): Promise<void> {
  if (identity === undefined || (await identityOf(path)) !== identity) return;
  // The log goes first: it belongs to the damaged file and must not be taken for that of the next one.
  for (const part of ['-wal', '-shm']) await rm(`${path}${part}`, { force: true });
  await rename(path, damagedPath(path));
}
