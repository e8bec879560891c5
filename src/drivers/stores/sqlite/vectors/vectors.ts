import type { MissingVector, SpaceState, VectorEntry } from '../../../../contracts/store.ts';
import { embeddedText } from '../../../../core/chunk.ts';
import { QuarryError } from '../../../../core/errors.ts';
import { assertVector } from '../../../../core/vectors/assert-vector.ts';
import { rowLimit } from '../../row-limit.ts';
import { spacesByName } from '../../spaces-by-name.ts';
import type { Connection } from '../file/connection.ts';

import { isDropped, readText, writeText } from '../layout/rows.ts';
import { quantiseVector, signedBytes, unitVector } from './quantise.ts';

/** Bytes of the vectors of a space, one for each dimension, up to which every one is looked at and no graph is made. */
export const exactBytes = 2 ** 27;

/** A vector space as the file knows it. */
export interface Space {
  readonly number: number;
  readonly dimensions: number;
}

/** The space of this name, or undefined where no vector was ever added to it; `store-corrupt` where it is damaged. */
export function findSpace(connection: Connection, name: string): Space | undefined {
  const row = connection.get('SELECT number, dimensions FROM spaces WHERE name = ?', writeText(name));
  if (!row) return undefined;
  const { number, dimensions } = row;
  if (Number.isSafeInteger(dimensions) && Number(dimensions) > 0)
    return { number: Number(number), dimensions: Number(dimensions) };
  throw damagedSpace(name);
}

/** Throws `vector-invalid` unless the vector fits the space, and `store-corrupt` where the space is what is wrong. */
export function assertFits(
  connection: Connection,
  name: string,
  { number, dimensions }: Space,
  vector: Float32Array,
): void {
  if (vector.length !== dimensions) {
    const row = connection.get(
      'SELECT length(components) AS length FROM vectors WHERE space = ? LIMIT 1',
      number,
    );
    if (row && row.length !== dimensions) throw damagedSpace(name);
  }
  assertVector(vector, dimensions);
}

function damagedSpace(name: string): QuarryError {
  return new QuarryError(
    'store-corrupt',
    `The vector space "${name}" states a length that its vectors do not have.`,
    'Run: quarry repair',
  );
}

/** All spaces by name, sorted. */
export function listSpaces(connection: Connection): ReadonlyMap<string, SpaceState> {
  const rows = connection.all(`SELECT name, dimensions, embedded FROM spaces WHERE NOT ${isDropped}`);
  return spacesByName(
    rows.map(({ name, dimensions, embedded }) => [
      readText(name),
      { dimensions: Number(dimensions), embedded: Number(embedded) },
    ]),
  );
}

/** Stores vectors; one whose text has left the index in the meantime is dropped, as nothing would ever remove it. */
export function insertVectors(connection: Connection, name: string, entries: readonly VectorEntry[]): void {
  const [first] = entries;
  if (!first) return;
  const known = findSpace(connection, name);
  const dimensions = known?.dimensions ?? first.vector.length;
  for (const { vector } of entries) {
    if (known) assertFits(connection, name, known, vector);
    else assertVector(vector, dimensions);
  }
  const space = known?.number ?? insertSpace(connection, name, dimensions);
  for (const { embeddingKey, vector } of entries) {
    const { scale, components } = quantiseVector(vector);
    // REPLACE gives the row a new number, by which other readers see that it changed. The first releases of
    // node:sqlite bind no other typed array than unsigned bytes.
    connection.run(
      `INSERT OR REPLACE INTO vectors (space, embedding, scale, components)
       SELECT ?, number, ?, ? FROM embeddings WHERE key = ?`,
      space,
      scale,
      new Uint8Array(components.buffer),
      writeText(embeddingKey),
    );
  }
}

/** Texts without a vector in the space, in the order in which they first came into the index. */
export function findMissingVectors(
  connection: Connection,
  name: string,
  limit: number,
  after: number,
): MissingVector[] {
  return connection
    .all(
      `SELECT e.number, e.key, c.header, c.text FROM embeddings e
       JOIN chunks c ON c.number = (SELECT min(number) FROM chunks WHERE embedding = e.number)
       WHERE e.number > ?
       AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.embedding = e.number AND v.space = ?)
       ORDER BY e.number LIMIT ?`,
      after,
      findSpace(connection, name)?.number ?? null,
      rowLimit(limit),
    )
    .map((row) => ({
      embeddingKey: readText(row.key),
      text: embeddedText({ header: readText(row.header), text: readText(row.text) }),
      position: Number(row.number),
    }));
}

/** Those of the keys whose text has its vector in the space. */
export function findKeysWithVector(
  connection: Connection,
  name: string,
  keys: readonly string[],
): ReadonlySet<string> {
  const space = findSpace(connection, name);
  if (!space) return new Set();
  const hasVector = (key: string) =>
    connection.get(
      `SELECT 1 FROM embeddings e JOIN vectors v ON v.embedding = e.number AND v.space = ?
       WHERE e.key = ?`,
      space.number,
      writeText(key),
    ) !== undefined;
  return new Set(keys.filter(hasVector));
}

/** How far the length of a stored vector may be from one: it is kept as doubles, so that this is rounding alone. */
const tolerance = 1e-9;

/** The vectors of those of the keys that have one in the space; one that is damaged is left out, which `verify` notices. */
export function findVectors(connection: Connection, name: string, keys: readonly string[]): VectorEntry[] {
  const space = findSpace(connection, name);
  if (!space) return [];
  return [...new Set(keys)].flatMap((embeddingKey) => {
    const row = connection.get(
      `SELECT v.scale, v.components FROM embeddings e JOIN vectors v ON v.embedding = e.number AND v.space = ?
       WHERE e.key = ?`,
      space.number,
      writeText(embeddingKey),
    );
    const components = signedBytes(row?.components);
    if (!row || components.length !== space.dimensions) return [];
    let squares = 0;
    for (const value of components) squares += value * value;
    const scale = Number(row.scale);
    if (!(Math.abs(Math.sqrt(squares) * scale - 1) <= tolerance)) return [];
    return [{ embeddingKey, vector: unitVector({ scale, components }) }];
  });
}

function insertSpace(connection: Connection, name: string, dimensions: number): number {
  const row = connection.get(
    'INSERT INTO spaces (name, dimensions) VALUES (?, ?) RETURNING number',
    writeText(name),
    dimensions,
  );
  return Number(row?.number);
}
