import { setTimeout as pause } from 'node:timers/promises';
import type { QuarryError } from '../../core/errors.ts';
import { CacheFile, identityOf, isEmptyFile, makeCacheFile, setAside } from './cache-file.ts';
import { cacheProblem } from './cache-problem.ts';

/** Milliseconds between the tries of someone who finds the file busy. */
const waits = [10, 20, 40, 80, 160] as const;
/** Milliseconds for which nothing is written after all tries found the file busy. */
const busyRest = 2_000;
/** Damaged files that one process sets aside before it goes on without a cache. */
const mostSetAside = 3;

/** How a file is opened and kept open. */
export interface SteadyFileOptions {
  readonly path: string;
  readonly readOnly: boolean;
  /** Whether to make the file where there is none. */
  readonly create: boolean;
}

type Kind = 'read' | 'write';

/**
 * The file of the cache, for work that must go on without it: a busy file is tried again and then passed by, a damaged
 * one is set aside and begun anew, one that cannot be used is let go. The first problem is kept.
 */
export class SteadyFile {
  readonly path: string;
  readonly #options: SteadyFileOptions;
  #file: CacheFile | undefined;
  #identity: string | undefined;
  #problem: QuarryError | undefined;
  #writable: boolean;
  #setAsideCount = 0;
  #restUntil = 0;

  private constructor(options: SteadyFileOptions) {
    this.path = options.path;
    this.#options = options;
    this.#writable = !options.readOnly;
  }

  /** Opens the file; when that fails the problem is kept and there is no file. */
  static async open(options: SteadyFileOptions): Promise<SteadyFile> {
    const steady = new SteadyFile(options);
    await steady.#open();
    return steady;
  }

  /** What went wrong first; a passing business gives way to anything graver. */
  get problem(): QuarryError | undefined {
    return this.#problem;
  }

  /** Whether there is a file to ask. */
  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  /** Does the work in one transaction; undefined where that cannot be, and why is kept. */
  async attempt<Result>(kind: Kind, work: (file: CacheFile) => Result): Promise<Result | undefined> {
    if (!this.#file || (kind === 'write' && !this.#mayWrite())) return undefined;
    try {
      return await this.demand(kind, work);
    } catch {
      return undefined;
    }
  }

  /** Does the work in one transaction, or fails with the problem. There must be a file. */
  async demand<Result>(kind: Kind, work: (file: CacheFile) => Result): Promise<Result> {
    for (let tries = 0; ; tries += 1) {
      const file = this.#file;
      if (!file) throw this.#problem ?? cacheProblem('it is closed', this.path);
      try {
        return file[kind](() => work(file));
      } catch (thrown) {
        const problem = cacheProblem(thrown, this.path);
        const wait = waits[tries];
        if (problem.code !== 'store-busy' || wait === undefined) {
          await this.#meet(problem, kind, file);
          throw problem;
        }
        // Processes that met once shall not meet again at the next try.
        await pause(wait * (0.5 + Math.random()));
      }
    }
  }

  /** Does what cannot be part of a transaction; a failure is no more than a chance missed. */
  aside(work: (file: CacheFile) => void): void {
    try {
      if (this.#file && this.#writable) work(this.#file);
    } catch {}
  }

  /** Closes the file; a second call does nothing. */
  close(): void {
    const file = this.#file;
    this.#file = undefined;
    try {
      file?.close();
    } catch (thrown) {
      this.#keep(cacheProblem(thrown, this.path));
    }
  }

  #mayWrite(): boolean {
    return this.#writable && performance.now() >= this.#restUntil;
  }

  async #open(): Promise<void> {
    const { path, readOnly, create } = this.#options;
    for (let tries = 0; ; tries += 1) {
      try {
        if (create) await makeCacheFile(path);
        this.#identity = await identityOf(path);
        // An empty file is one that someone has only begun to make; who may not write cannot go on with it.
        const isAbsent = this.#identity === undefined || (readOnly && (await isEmptyFile(path)));
        if (!isAbsent) this.#file = new CacheFile(path, { readOnly });
        return;
      } catch (thrown) {
        const problem = cacheProblem(thrown, path);
        const wait = waits[tries];
        if (problem.code === 'store-busy' && wait !== undefined) {
          await pause(wait * (0.5 + Math.random()));
          continue;
        }
        this.#keep(problem);
        if (problem.code !== 'store-corrupt' || !(await this.#setAside())) return;
      }
    }
  }

  /** Draws the consequence of a problem. */
  async #meet(problem: QuarryError, kind: Kind, file: CacheFile): Promise<void> {
    this.#keep(problem);
    if (problem.code === 'store-busy') {
      if (kind === 'write') this.#restUntil = performance.now() + busyRest;
    } else if (problem.code === 'store-corrupt') {
      // Calls run side by side: another one may have met the same problem before.
      if (this.#file !== file) return;
      this.close();
      if (await this.#setAside()) await this.#open();
    } else if (kind === 'write') {
      this.#writable = false;
    } else {
      this.close();
    }
  }

  async #setAside(): Promise<boolean> {
    if (this.#options.readOnly || this.#setAsideCount >= mostSetAside) return false;
    this.#setAsideCount += 1;
    try {
      await setAside(this.path, this.#identity);
      return true;
    } catch (thrown) {
      // Windows renames no file that another process has open.
      this.#keep(cacheProblem(thrown, this.path));
      return false;
    }
  }

  #keep(problem: QuarryError): void {
    if (!this.#problem || this.#problem.code === 'store-busy') this.#problem = problem;
  }
}
