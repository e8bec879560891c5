import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work without a break, after which the rest of the process gets its turn. */
const maxTurn = 8;
/** Direct calls are timed in groups of this many. */
const looksPerGroup = 64;
/** Milliseconds that a group may take: answers from memory take microseconds, those of a disk far longer. */
const quickGroup = 3;
/** Calls in threads before a direct one is tried again: few, because a busy machine may have paused the process. */
const minAside = 32;
/** The number doubles each time the next try is slow too, up to this. */
const maxAside = 1024;
/** Milliseconds that one entry adds to a listing that comes from memory; a long listing is not a slow one. */
const timeToList = 0.002;

/**
 * Asks the file system about one tree. While the system answers from memory it is called directly, which costs a fraction
 * of a call through the threads of Node.js. As soon as it must wait for a disk or a network, threads wait in parallel and
 * the process continues.
 */
export class Pace {
  #aside = 0;
  #nextAside = minAside;
  #looks = 0;
  #spent = 0;
  readonly #now: () => number;
  #turnBegan: number;

  /** The clock is in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#turnBegan = now();
  }

  /** The kind of a path, links not followed; throws or rejects where it cannot be known. */
  look(path: string): Stats | Promise<Stats> {
    if (this.#isAside()) return lstat(path);
    const began = this.#now();
    // A drive may take seconds to fail.
    try {
      return lstatSync(path);
    } finally {
      this.#weigh(this.#now() - began);
    }
  }

  /** The entries of a folder, in no order; throws or rejects where they cannot be known. */
  list(path: string): Dirent[] | Promise<Dirent[]> {
    if (this.#isAside()) return readdir(path, { withFileTypes: true });
    const began = this.#now();
    let length = 0;
    try {
      const entries = readdirSync(path, { withFileTypes: true });
      ({ length } = entries);
      return entries;
    } finally {
      this.#weigh(this.#now() - began - length * timeToList);
    }
  }

  /** Whether the rest of the process should get its turn. */
  get isDue(): boolean {
    return this.#now() - this.#turnBegan > maxTurn;
  }

  /** Lets all waiting work of the process run. */
  async rest(): Promise<void> {
    await nextTurn();
    this.#turnBegan = this.#now();
  }

  #isAside(): boolean {
    if (this.#aside === 0) return false;
    this.#aside -= 1;
    return true;
  }

  #weigh(milliseconds: number): void {
    this.#looks += 1;
    this.#spent += Math.max(0, milliseconds);
    const isSlow = this.#spent > quickGroup;
    if (!isSlow && this.#looks < looksPerGroup) return;
    if (isSlow) this.#aside = this.#nextAside;
    this.#nextAside = isSlow ? Math.min(2 * this.#nextAside, maxAside) : minAside;
    this.#looks = 0;
    this.#spent = 0;
  }
}
