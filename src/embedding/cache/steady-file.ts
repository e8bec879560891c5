import { stat } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { QuarryError } from '../../core/errors.ts';
import { fileIdentity } from '../../platform/sqlite/file-identity.ts';
import { isBusy } from '../../platform/sqlite/result-code.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { makeCacheFile, openCacheFile, setAside } from './cache-file.ts';
import { cacheProblem } from './cache-problem.ts';

/** Milliseconds between attempts while another process has the file. */
const waits = [10, 20, 40, 80, 160] as const;
/** Milliseconds for which nothing is written after a write failed: work is not to wait for a busy or full disk each time. */
const writeRest = 2_000;

/** How a file is opened and kept open. */
export interface SteadyFileOptions {
  readonly path: string;
  readonly readOnly: boolean;
  /** Whether to make the file where there is none. */
  readonly create: boolean;
}

type Kind = 'read' | 'write';

/**
 * The file of the cache, for work that must continue without it: a file that is busy or cannot be
 * used is skipped, and a damaged one is set aside once and begun again empty. The first problem is kept.
 */
export class SteadyFile {
  readonly path: string;
  readonly #options: SteadyFileOptions;
  #database: DatabaseSync | undefined;
  #identity: string | undefined;
  #problem: QuarryError | undefined;
  #hasSetAside = false;
  #restUntil = 0;

  private constructor(options: SteadyFileOptions) {
    this.path = options.path;
    this.#options = options;
  }

  /** Opens the file; when that fails the problem is kept and there is no file. */
  static async open(options: SteadyFileOptions): Promise<SteadyFile> {
    const steady = new SteadyFile(options);
    await steady.#open();
    return steady;
  }

  /** What went wrong first; a busy file is replaced by a worse problem. */
  get problem(): QuarryError | undefined {
    return this.#problem;
  }

  /** Whether there is a file to use. */
  get isOpen(): boolean {
    return this.#database !== undefined;
  }

  /** Does the work in one transaction; undefined where that is not possible, and the problem is kept. */
  async attempt<Result>(kind: Kind, work: (database: DatabaseSync) => Result): Promise<Result | undefined> {
    const mayWrite = !this.#options.readOnly && performance.now() >= this.#restUntil;
    if (!this.isOpen || (kind === 'write' && !mayWrite)) return undefined;
    // It has kept the problem, which the run tells at its end.
    return this.demand(kind, work).catch(() => undefined);
  }

  /** Does the work in one transaction, or fails with the problem. */
  async demand<Result>(kind: Kind, work: (database: DatabaseSync) => Result): Promise<Result> {
    let database: DatabaseSync | undefined;
    try {
      return await untilFree(() => {
        const current = this.#database;
        if (!current) throw this.#problem ?? cacheProblem('it is closed', this.path);
        database = current;
        return inTransaction(current, kind === 'write' ? 'immediate' : 'read', () => work(current));
      });
    } catch (thrown) {
      const problem = cacheProblem(thrown, this.path);
      // Calls run side by side: another one may have met the same problem and opened the file again.
      if (!database || this.#database !== database) throw problem;
      this.#keep(problem);
      if (kind === 'write') this.#restUntil = performance.now() + writeRest;
      if (problem.code === 'store-corrupt') await this.#beginAgain();
      throw problem;
    }
  }

  /** Closes the file; a second call does nothing. */
  close(): void {
    const database = this.#database;
    this.#database = undefined;
    try {
      database?.close();
    } catch (thrown) {
      this.#keep(cacheProblem(thrown, this.path));
    }
  }

  async #open(): Promise<void> {
    const { path, readOnly, create } = this.#options;
    try {
      if (create) await makeCacheFile(path);
      this.#identity = fileIdentity(path);
      // What cannot be looked at is used as little as what is not there.
      const found = await stat(path).catch(() => undefined);
      // Another process has only begun to make an empty file, and a reader cannot continue that.
      const isAbsent = !found || (readOnly && found.size === 0);
      if (!isAbsent) this.#database = await untilFree(() => openCacheFile(path, readOnly));
    } catch (thrown) {
      const problem = cacheProblem(thrown, path);
      this.#keep(problem);
      if (problem.code === 'store-corrupt') await this.#beginAgain();
    }
  }

  /** Sets the damaged file aside and opens an empty one, once: a second damage has a cause that would repeat. */
  async #beginAgain(): Promise<void> {
    this.close();
    if (this.#options.readOnly || this.#hasSetAside) return;
    this.#hasSetAside = true;
    this.#restUntil = 0;
    try {
      await setAside(this.path, this.#identity);
    } catch (thrown) {
      // Windows renames no file that another process has open.
      this.#keep(cacheProblem(thrown, this.path));
      return;
    }
    await this.#open();
  }

  #keep(problem: QuarryError): void {
    if (!this.#problem || this.#problem.code === 'store-busy') this.#problem = problem;
  }
}

/** Repeats work while another process has the file, for about a third of a second. */
async function untilFree<Result>(work: () => Result): Promise<Result> {
  for (const wait of waits) {
    try {
      return work();
    } catch (thrown) {
      if (!isBusy(thrown)) throw thrown;
    }
    // Processes that met once shall not meet again at the next attempt.
    await pause(wait * (0.5 + Math.random()));
  }
  return work();
}
