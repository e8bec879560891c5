import type { Connection } from '../file/connection.ts';
import { admittedEmbeddings } from './file-scan.ts';
import { type Neighbour, VectorMatrix } from './matrix.ts';
import type { VectorQuery } from './vector-query.ts';
import { lastVectorOf, readVectors } from './vector-rows.ts';
import type { Space } from './vectors.ts';

/** All vectors of a space in memory; follows changes of the file by any process. */
export class ExactMirror {
  readonly #connection: Connection;
  readonly #space: Space;
  readonly #matrix: VectorMatrix;
  /** Highest number of a vector that was looked at, of whichever space. */
  #lastVector = 0;

  constructor(connection: Connection, space: Space) {
    this.#connection = connection;
    this.#space = space;
    this.#matrix = new VectorMatrix(space.dimensions);
    this.follow();
  }

  get count(): number {
    return this.#matrix.size;
  }

  get bytes(): number {
    return this.#matrix.bytes;
  }

  /** Adds what is new in the file and drops what has left it. */
  follow(): void {
    for (const vector of readVectors(this.#connection, this.#space, this.#lastVector)) {
      this.#matrix.set(vector.embedding, vector);
      this.#lastVector = vector.number;
    }
    this.#lastVector = lastVectorOf(this.#connection);
    // The matrix now holds all that the file holds, so that it holds more exactly when their sizes differ.
    if (countVectors(this.#connection, this.#space) !== this.count) this.#forgetRemoved();
  }

  nearest(query: VectorQuery): Neighbour[] {
    const admitted = admittedEmbeddings(this.#connection, query);
    return this.#matrix.nearest(query.quantised, query.limit, admitted);
  }

  #forgetRemoved(): void {
    const row = this.#connection.get(
      'SELECT json_group_array(embedding) AS live FROM vectors WHERE space = ?',
      this.#space.number,
    );
    this.#matrix.retain(new Set<number>(JSON.parse(String(row?.live))));
  }
}

/** How many vectors the file has in a space. */
export function countVectors(connection: Connection, space: Space): number {
  const row = connection.get('SELECT count(*) AS count FROM vectors WHERE space = ?', space.number);
  return Number(row?.count);
}
