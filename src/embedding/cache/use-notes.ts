import type { DatabaseSync } from 'node:sqlite';
import type { Findings } from './cache-rows.ts';

/** Rows whose use is noted before it is written. */
const manyRows = 512;

/** What lookups leave to be written: gathered, so that reading does not become writing each time. */
export class UseNotes {
  readonly #used = new Set<number>();
  readonly #useless = new Set<number>();
  #hits = 0;
  #misses = 0;
  #damaged = 0;

  /** Whether it is time to write. Useless rows do not wait, or they would be found and counted again. */
  get areDue(): boolean {
    return this.#used.size >= manyRows || this.#useless.size > 0;
  }

  get areNone(): boolean {
    return this.#hits + this.#misses + this.#used.size === 0;
  }

  add({ vectors, used, useless, damaged }: Findings): void {
    const hits = vectors.filter(Boolean).length;
    this.#hits += hits;
    this.#misses += vectors.length - hits;
    this.#damaged += damaged;
    this.addUse(used);
    for (const row of useless) this.#useless.add(row);
  }

  /** Notes rows of which something was used that is not counted. */
  addUse(rows: readonly number[]): void {
    for (const row of rows) this.#used.add(row);
  }

  write(database: DatabaseSync, hour: number): void {
    for (const table of ['vectors', 'sketches']) {
      const mark = database.prepare(`UPDATE ${table} SET used = ? WHERE id = ?`);
      for (const row of this.#used) mark.run(hour, row);
    }
    const remove = database.prepare('DELETE FROM vectors WHERE id = ?');
    for (const row of this.#useless) remove.run(row);
    database
      .prepare('UPDATE tally SET hits = hits + ?, misses = misses + ?, damaged = damaged + ?')
      .run(this.#hits, this.#misses, this.#damaged);
  }
}
