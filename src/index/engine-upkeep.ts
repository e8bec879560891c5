import type { VectorEngine } from '../contracts/vector-engine.ts';
import { embeddedText } from '../core/chunk.ts';
import { asQuarryError, leavesText, type QuarryError } from '../core/errors.ts';
import { embeddingKey } from '../core/identity.ts';
import { chunksOf } from './chunks-of.ts';
import type { EngineLock } from './engine-lock.ts';
import type { Marks, Table, VectorMarks } from './vector-marks.ts';

/** Keys that are noted; where more are to go, all keys of the engine are compared. */
const maxNoted = 20_000;

/**
 * Rids the engine of what the index no longer names: after each run the vectors of texts that this process has removed,
 * and whatever else is too many there, as a process that was killed leaves it.
 */
export class EngineUpkeep {
  readonly #table: Table;
  readonly #engine: VectorEngine;
  readonly #marks: VectorMarks;
  readonly #lock: EngineLock;
  /** Keys of texts of documents that were replaced or removed. */
  readonly #going = new Set<string>();
  #isTidy = false;

  constructor(table: Table, engine: VectorEngine, marks: VectorMarks, lock: EngineLock) {
    this.#table = table;
    this.#engine = engine;
    this.#marks = marks;
    this.#lock = lock;
  }

  /** To be called before documents are replaced or removed. */
  async noteGoing(documentIds: readonly string[]): Promise<void> {
    for (const id of documentIds) {
      if (this.#going.size >= maxNoted) return;
      for (const chunk of await chunksOf(this.#table, id)) this.#going.add(embeddingKey(embeddedText(chunk)));
    }
  }

  /** How many vectors are marked and not in the engine, at least. */
  async #missing({ tableSpace, engineSpace }: Marks): Promise<number> {
    const before = await this.#table.countVectors(tableSpace);
    const there = (await this.#engine.count(engineSpace)) ?? 0;
    // Others may remove some meanwhile.
    const marked = Math.min(before, await this.#table.countVectors(tableSpace));
    return Math.max(0, marked - there);
  }

  /** Tidies up all spaces, as far as nobody adds to them and the engine answers; returns what to say where it has lost vectors. */
  async run(): Promise<QuarryError | undefined> {
    let lost: QuarryError | undefined;
    try {
      await this.#lock.removing(async () => {
        for (const own of await this.#marks.all()) {
          if ((await this.#missing(own)) > 0) lost = await this.#marks.forget(own);
          else await this.#tidy(own);
        }
        this.#going.clear();
        await this.#dropUnnamed();
      });
    } catch (thrown) {
      // Nobody has asked for it: the next run tries again.
      if (!leavesText(asQuarryError(thrown))) throw thrown;
    }
    return lost;
  }

  async #tidy(own: Marks): Promise<void> {
    const { tableSpace, engineSpace } = own;
    await this.#remove(own, await this.#unknown(own, [...this.#going]));
    const there = (await this.#engine.count(engineSpace)) ?? 0;
    if (there <= (await this.#table.countVectors(tableSpace))) return;
    const unknown: string[] = [];
    for await (const keys of this.#engine.keys(engineSpace))
      unknown.push(...(await this.#unknown(own, keys)));
    await this.#remove(own, unknown);
  }

  async #unknown({ tableSpace }: Marks, keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const known = await this.#table.keysWithVector(tableSpace, keys);
    return keys.filter((key) => !known.has(key));
  }

  async #remove({ engineSpace }: Marks, keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.#engine.delete(engineSpace, keys);
  }

  /** Drops spaces of the engine that the table does not name any more, and spaces of the table that are of no use; once is enough. */
  async #dropUnnamed(): Promise<void> {
    const owner = this.#isTidy ? undefined : await this.#marks.owner();
    if (owner === undefined) return;
    const named = new Set((await this.#marks.all()).map(({ engineSpace }) => engineSpace));
    for (const space of await this.#engine.spaces(`${owner}-`))
      if (!named.has(space)) await this.#engine.drop(space);
    await this.#marks.forgetOthers();
    this.#isTidy = true;
  }
}
