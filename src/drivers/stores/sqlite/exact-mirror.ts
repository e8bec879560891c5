import type { Connection } from './connection.ts';
import { type Neighbour, VectorMatrix } from './matrix.ts';
import type { Question } from './question.ts';
import type { Space } from './vectors.ts';

/** All vectors of a space in memory, following the file whoever changes it. */
export class ExactMirror {
  readonly #connection: Connection;
  readonly #space: Space;
  readonly #matrix: VectorMatrix;
  /** Highest number of a vector taken in. */
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

  /** Takes in what is new in the file and drops what has left it. */
  follow(): void {
    // The plus keeps SQLite from walking through the whole space: new rows stand at the end of the table.
    const added = this.#connection.each(
      'SELECT number, embedding, scale, components FROM vectors WHERE number > ? AND +space = ? ORDER BY number',
      this.#lastVector,
      this.#space.number,
    );
    for (const { number, embedding, scale, components } of added) {
      const { buffer, byteOffset, byteLength } = components as Uint8Array; // The column holds nothing but blobs.
      this.#matrix.set(Number(embedding), {
        scale: Number(scale),
        components: new Int8Array(buffer, byteOffset, byteLength),
      });
      this.#lastVector = Number(number);
    }
    // The matrix now holds all that the file holds, so that it holds more exactly when their sizes differ.
    if (countVectors(this.#connection, this.#space) !== this.count) this.#forgetRemoved();
  }

  nearest(question: Question): Neighbour[] {
    return this.#matrix.nearest(question.query, question.limit, this.#admitted(question));
  }

  #forgetRemoved(): void {
    const row = this.#connection.get(
      'SELECT json_group_array(embedding) AS live FROM vectors WHERE space = ?',
      this.#space.number,
    );
    this.#matrix.retain(new Set<number>(JSON.parse(String(row?.live))));
  }

  #admitted({ condition: { sql, parameters } }: Question): number[] | undefined {
    if (sql === '') return undefined;
    // One JSON text is read several times faster than as many rows.
    const row = this.#connection.get(
      `SELECT json_group_array(c.embedding) AS admitted FROM chunks c WHERE ${sql}`,
      ...parameters,
    );
    return JSON.parse(String(row?.admitted));
  }
}

/** How many vectors the file has in a space. */
export function countVectors(connection: Connection, space: Space): number {
  const row = connection.get('SELECT count(*) AS count FROM vectors WHERE space = ?', space.number);
  return Number(row?.count);
}
