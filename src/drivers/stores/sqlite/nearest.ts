import type { SearchBounds, StoreMatch } from '../../../contracts/store.ts';
import type { Filter } from '../../../core/filter.ts';
import { assertVector } from '../admission.ts';
import type { Connection } from './connection.ts';
import { chunkCondition } from './filter.ts';
import { type Neighbour, type VectorIndex, VectorMatrix } from './matrix.ts';
import { quantiseQuery } from './quantise.ts';
import { matchColumns, readMatch } from './rows.ts';
import { findSpace, rowLimit, type Space } from './vectors.ts';

/** A space's index in memory and the state of the file it mirrors. */
interface Mirror {
  readonly space: Space;
  readonly index: VectorIndex;
  /** Revision of the file at the last look. */
  revision: number;
  /** Highest number of a vector taken in. */
  lastVector: number;
}

/** Nearest chunks by cosine, from indexes in memory that follow the file whoever changes it. */
export class NearestSearch {
  readonly #connection: Connection;
  readonly #mirrors = new Map<string, Mirror>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Must run inside a read transaction: the indexes and the chunks have to be of one state. */
  search(name: string, vector: Float32Array, { limit, filter }: SearchBounds): StoreMatch[] {
    const space = findSpace(this.#connection, name);
    if (!space) {
      this.#mirrors.delete(name);
      return [];
    }
    assertVector(vector, space.dimensions);
    const most = rowLimit(limit);
    if (most === 0) return [];
    const { index } = this.#follow(name, space);
    const nearest = index.nearest(quantiseQuery(vector), most, this.#admitted(filter));
    return this.#matches(nearest, filter).slice(0, most);
  }

  /** Brings the index of a space up to the file's revision, reading only what is new. */
  #follow(name: string, space: Space): Mirror {
    const revision = Number(this.#connection.get('SELECT value FROM revision')?.value);
    const known = this.#mirrors.get(name);
    if (known && known.space.number === space.number && known.space.dimensions === space.dimensions) {
      if (known.revision !== revision) this.#catchUp(known);
      known.revision = revision;
      return known;
    }
    const mirror = { space, index: new VectorMatrix(space.dimensions), revision, lastVector: 0 };
    this.#catchUp(mirror);
    this.#mirrors.set(name, mirror);
    return mirror;
  }

  #catchUp(mirror: Mirror): void {
    // The plus keeps SQLite from walking through the whole space: new rows stand at the end of the table.
    const added = this.#connection.each(
      'SELECT number, embedding, scale, components FROM vectors WHERE number > ? AND +space = ? ORDER BY number',
      mirror.lastVector,
      mirror.space.number,
    );
    for (const { number, embedding, scale, components } of added) {
      const bytes = components as Uint8Array; // The column holds nothing but blobs.
      mirror.index.set(Number(embedding), {
        scale: Number(scale),
        components: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      });
      mirror.lastVector = Number(number);
    }
    // The index now holds all that the file holds, so that it holds more exactly when their sizes differ.
    const row = this.#connection.get(
      'SELECT count(*) AS count FROM vectors WHERE space = ?',
      mirror.space.number,
    );
    if (Number(row?.count) !== mirror.index.size) this.#forgetRemoved(mirror);
  }

  #forgetRemoved({ space, index }: Mirror): void {
    const row = this.#connection.get(
      'SELECT json_group_array(embedding) AS live FROM vectors WHERE space = ?',
      space.number,
    );
    index.retain(new Set<number>(JSON.parse(String(row?.live))));
  }

  #admitted(filter: Filter | undefined): number[] | undefined {
    const { sql, parameters } = chunkCondition(filter);
    if (sql === '') return undefined;
    // One JSON text is read several times faster than as many rows.
    const row = this.#connection.get(
      `SELECT json_group_array(c.embedding) AS admitted FROM chunks c WHERE ${sql}`,
      ...parameters,
    );
    return JSON.parse(String(row?.admitted));
  }

  /** The chunks of these embeddings that pass the filter, best first. */
  #matches(nearest: readonly Neighbour[], filter: Filter | undefined): StoreMatch[] {
    const scores = new Map(nearest.map(({ embedding, score }) => [embedding, score]));
    const { sql, parameters } = chunkCondition(filter);
    return this.#connection
      .all(
        `SELECT c.embedding, ${matchColumns} FROM json_each(?) wanted CROSS JOIN chunks c ON c.embedding = wanted.value
         JOIN documents d ON d.number = c.document ${sql === '' ? '' : `WHERE ${sql}`}
         ORDER BY wanted.key, c.number`,
        JSON.stringify([...scores.keys()]),
        ...parameters,
      )
      .map((row) => readMatch(row, scores.get(Number(row.embedding)) ?? 0));
  }
}
