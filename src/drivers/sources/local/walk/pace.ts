import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work at a stretch, after which the rest of the process gets its turn. */
const longestTurn = 8;
/** Direct looks are timed in groups of so many, */
const looksPerGroup = 64;
/** and a group may take so many milliseconds: answers from memory take microseconds, those of a disk far longer. */
const quickGroup = 3;
/** So many looks are made in threads before a direct one is tried again: few, for a busy machine may have paused it, */
const fewestAside = 32;
/** and twice as many each time that the next try is slow too, up to this. */
const mostAside = 1024;
/** Milliseconds that one entry adds to a listing that comes from memory; a long listing is not a slow one. */
const timeToList = 0.002;

/**
 * Asks the file system about one tree. What the system answers from memory is asked directly, which costs a fraction
 * of a round through the threads of Node.js; as soon as it has to wait for a disk or a network, threads wait side by
 * side and the process continues.
 */
export class Pace {
  #aside = 0;
  #nextAside = fewestAside;
  #looks = 0;
  #spent = 0;
  readonly #now: () => number;
  #turnBegan: number;

  /** The clock tells milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#turnBegan = now();
  }

  /** What a path is, links not followed; throws or rejects where that cannot be known. */
  look(path: string): Stats | Promise<Stats> {
    if (this.#isAside()) return lstat(path);
    const began = this.#now();
    // A drive may take seconds to say that it cannot tell.
    try {
      return lstatSync(path);
    } finally {
      this.#weigh(this.#now() - began);
    }
  }

  /** What stands in a folder, in no order; throws or rejects where that cannot be known. */
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

  /** Whether it has worked for so long that the rest of the process should get its turn. */
  get isDue(): boolean {
    return this.#now() - this.#turnBegan > longestTurn;
  }

  /** Lets everything run that waits for its turn. */
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
    this.#nextAside = isSlow ? Math.min(2 * this.#nextAside, mostAside) : fewestAside;
    this.#looks = 0;
    this.#spent = 0;
  }
}
