import type { DriverContext } from '../../../../contracts/driver.ts';
import type { SearchBounds, SearchPreparation, StoreMatch } from '../../../../contracts/store.ts';
import type { Filter } from '../../../../core/filter.ts';
import { rowLimit } from '../../row-limit.ts';
import type { Connection } from '../file/connection.ts';
import { chunkCondition } from '../layout/filter.ts';
import { provenMatch, readMatch } from '../layout/rows.ts';
import type { Neighbour } from './matrix.ts';
import { defaultLimits, type SearchLimits, SpaceSearch } from './space-search.ts';
import { makeVectorQuery } from './vector-query.ts';
import { assertFits, findSpace, type Space } from './vectors.ts';

/** The search of a store, within what it may use of the machine. */
export function openNearestSearch(
  connection: Connection,
  resources?: DriverContext['resources'],
): NearestSearch {
  return new NearestSearch(connection, defaultLimits(resources?.memoryBytes, resources?.threads));
}

/** Nearest chunks by cosine, from indexes that follow changes of the file by any process. */
export class NearestSearch {
  readonly #connection: Connection;
  readonly #limits: SearchLimits;
  readonly #spaces = new Map<string, SpaceSearch>();
  #opening = 0;

  constructor(connection: Connection, limits: SearchLimits = defaultLimits()) {
    this.#connection = connection;
    this.#limits = limits;
  }

  /** Memory held by the indexes, in bytes. */
  get bytes(): number {
    return [...this.#spaces.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Must run inside a read transaction: the indexes and the chunks have to be of one state. */
  search(name: string, vector: Float32Array, { limit, filter }: SearchBounds): StoreMatch[] {
    const space = findSpace(this.#connection, name);
    if (!space) {
      this.#forget(name);
      return [];
    }
    assertFits(this.#connection, name, space, vector);
    const max = rowLimit(limit);
    if (max === 0) return [];
    const revision = Number(this.#connection.get('SELECT value FROM revision')?.value);
    const query = makeVectorQuery(vector, max, chunkCondition(filter));
    const nearest = this.#of(name, space).nearest(query, revision);
    return this.#matches(nearest, filter).slice(0, max);
  }

  /** Makes now what later searches of a large space want; without it a process that searches twice does so by itself. */
  async *prepare(name: string, signal?: AbortSignal): AsyncGenerator<SearchPreparation> {
    const space = await this.#connection.read(() => findSpace(this.#connection, name));
    if (space) yield* this.#of(name, space).prepare(signal);
  }

  /** Stops what is made in the background, and lets go of memory and files. */
  async close(): Promise<void> {
    await Promise.all([...this.#spaces.values()].map((search) => search.close()));
    this.#spaces.clear();
  }

  /** The search of a space; another space under the same name starts again. */
  #of(name: string, space: Space): SpaceSearch {
    // In another file the same numbers may stand for other vectors.
    if (this.#opening !== this.#connection.opening)
      for (const one of [...this.#spaces.keys()]) this.#forget(one);
    this.#opening = this.#connection.opening;
    const known = this.#spaces.get(name);
    if (known && known.space.number === space.number && known.space.dimensions === space.dimensions) {
      return known;
    }
    this.#forget(name);
    const search = new SpaceSearch(this.#connection, space, this.#limits);
    this.#spaces.set(name, search);
    return search;
  }

  #forget(name: string): void {
    void this.#spaces.get(name)?.close();
    this.#spaces.delete(name);
  }

  /** The chunks of these embeddings that pass the filter, best first. */
  #matches(nearest: readonly Neighbour[], filter: Filter | undefined): StoreMatch[] {
    const scores = new Map(nearest.map(({ embedding, score }) => [embedding, score]));
    const { sql, parameters } = chunkCondition(filter);
    return this.#connection
      .all(
        `SELECT c.embedding, ${provenMatch} FROM json_each(?) wanted CROSS JOIN chunks c ON c.embedding = wanted.value
         JOIN documents d ON d.number = c.document ${sql === '' ? '' : `WHERE ${sql}`}
         ORDER BY wanted.key, c.number`,
        JSON.stringify([...scores.keys()]),
        ...parameters,
      )
      .map((row) => readMatch(this.#connection.proof, row, scores.get(Number(row.embedding)) ?? 0));
  }
}
