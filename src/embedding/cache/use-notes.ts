import type { CacheFile } from './cache-file.ts';
import { type Findings, markUsed } from './cache-rows.ts';

/** Rows whose use is noted before it is written down. */
const manyRows = 512;
/** Lookups that are counted before the count is written down. */
const manyLookups = 65_536;

/** What lookups leave to be written: gathered, so that reading does not become writing each time. */
export class UseNotes {
  #rows = new Set<number>();
  #hits = 0;
  #misses = 0;
  #damaged = 0;

  get areNone(): boolean {
    return this.#hits + this.#misses === 0;
  }

  get areMany(): boolean {
    return this.#rows.size >= manyRows || this.#hits + this.#misses >= manyLookups;
  }

  add({ vectors, used, damaged }: Findings): void {
    const hits = vectors.filter(Boolean).length;
    this.#hits += hits;
    this.#misses += vectors.length - hits;
    this.#damaged += damaged;
    for (const row of used) this.#rows.add(row);
  }

  /** Everything noted so far, which is then forgotten here. */
  take(): { write(file: CacheFile, hour: number): void } {
    const [rows, hits, misses, damaged] = [this.#rows, this.#hits, this.#misses, this.#damaged];
    this.#rows = new Set();
    this.#hits = this.#misses = this.#damaged = 0;
    return {
      write(file, hour) {
        markUsed(file, rows, hour);
        file
          .statement('UPDATE tally SET hits = hits + ?, misses = misses + ?, damaged = damaged + ?')
          .run(hits, misses, damaged);
      },
    };
  }
}
