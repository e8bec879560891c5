import type { IndexState, KeyedChunks, Store, VectorEntry } from '../contracts/store.ts';
import type { VectorEngine } from '../contracts/vector-engine.ts';
import { QuarryError } from '../core/errors.ts';
import { sha256 } from '../core/identity.ts';
import { newNonce } from '../platform/nonce.ts';
import { once } from '../platform/once.ts';
import { realPath } from '../platform/real-path.ts';
import { createSerialQueue } from '../platform/serial-queue.ts';
import { addVectors, dropSpace, setFact } from './write.ts';

/** An index that can leave its vectors to an engine. */
export type Table = Store & KeyedChunks;

/** The fact with the random name of the index, which is a part of the names of its spaces in the engine. */
export const ownerFact = 'vector-engine-owner';

/** A space of the table in which every vector is a mark: its text has a vector in the space of the engine. */
export interface Marks {
  /** The space as the user of the index knows it. */
  readonly space: string;
  readonly tableSpace: string;
  readonly engineSpace: string;
  /** Length of the vectors in the engine. */
  readonly dimensions: number;
}

/** The name of a space in the table: that in the engine, the length of its vectors, and the name that users know. */
const tableSpaceName = /^(([0-9a-f]{16})-[0-9a-f]{8}) (\d+) (.*)$/s;

const mark = Float32Array.of(1);

/** Says that these texts have a vector in the engine. */
export function marksFor(entries: readonly VectorEntry[]): VectorEntry[] {
  return entries.map(({ embeddingKey }) => ({ embeddingKey, vector: mark }));
}

/**
 * Knows which spaces of an engine belong to an index. They are its own only in this folder: a copy of it, or one that was
 * moved, has none, so that no two indexes change the same space.
 */
export class VectorMarks {
  readonly #table: Table;
  readonly #engine: VectorEngine;
  readonly #place: () => Promise<string>;
  readonly #queue = createSerialQueue();

  constructor(table: Table, engine: VectorEngine, folder: string) {
    this.#table = table;
    this.#engine = engine;
    this.#place = once(() => realPath(folder));
  }

  /** Those of a state of the table, which is the present one unless it is given. */
  async all(state?: IndexState): Promise<Marks[]> {
    const { facts, spaces } = state ?? (await this.#table.state());
    const owner = await this.#ownerNamed(facts.get(ownerFact));
    return [...spaces.keys()].flatMap((tableSpace) => {
      const [, engineSpace, own, dimensions, space] = tableSpaceName.exec(tableSpace) ?? [];
      if (own !== owner || engineSpace === undefined || space === undefined) return [];
      return [{ space, tableSpace, engineSpace, dimensions: Number(dimensions) }];
    });
  }

  async find(space: string): Promise<Marks | undefined> {
    return (await this.all()).find((marks) => marks.space === space);
  }

  /** The space of this name, made where there is none. The caller holds the lock of those who add. */
  ensure(space: string, dimensions: number): Promise<Marks> {
    return this.#queue(async () => (await this.find(space)) ?? (await this.#make(space, dimensions)));
  }

  /** What the names of the spaces in the engine begin with; undefined while there are none. */
  async owner(): Promise<string | undefined> {
    const { facts } = await this.#table.state();
    return this.#ownerNamed(facts.get(ownerFact));
  }

  /** Forgets that texts have a vector in a space which the engine no longer has as a whole, and returns what to say of it. */
  async forget({ tableSpace, engineSpace }: Marks): Promise<QuarryError> {
    await dropSpace(this.#table, tableSpace);
    // What is left of it goes with the next upkeep, at the latest.
    await this.#engine.drop(engineSpace).catch(() => undefined);
    return new QuarryError(
      'provider-refused',
      `Vectors of this index are no longer at ${this.#engine.place}.`,
      'Run: quarry index, which takes them from the cache where it has them.',
    );
  }

  /** Removes spaces of the table that are no marks of this index: those of the index that it is a copy of. */
  async forgetOthers(): Promise<void> {
    const own = new Set((await this.all()).map(({ tableSpace }) => tableSpace));
    const { spaces } = await this.#table.state();
    for (const name of spaces.keys()) if (!own.has(name)) await dropSpace(this.#table, name);
  }

  async #make(space: string, dimensions: number): Promise<Marks> {
    if ((await this.owner()) === undefined) await setFact(this.#table, ownerFact, newNonce(16));
    const engineSpace = `${await this.owner()}-${newNonce(4)}`;
    const marks = { space, dimensions, engineSpace, tableSpace: `${engineSpace} ${dimensions} ${space}` };
    await this.#engine.create(engineSpace);
    // No text has this key, so that nothing is marked yet; but the space is there, for others to find.
    await addVectors(this.#table, marks.tableSpace, marksFor([{ embeddingKey: '', vector: mark }]));
    return marks;
  }

  async #ownerNamed(name: string | undefined): Promise<string | undefined> {
    return name === undefined ? undefined : sha256(`${name}\n${await this.#place()}`).slice(0, 16);
  }
}

/** Drops the spaces of the engine that an index has, before the index itself is removed. */
export async function dropVectors(table: Table, engine: VectorEngine, folder: string): Promise<void> {
  for (const { engineSpace } of await new VectorMarks(table, engine, folder).all())
    await engine.drop(engineSpace);
}
