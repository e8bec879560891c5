import type { MissingVector, VectorEntry } from '../../../contracts/store.ts';
import { embeddedText } from '../../../core/chunk.ts';
import { assertVector } from '../../../core/vectors/assert-vector.ts';
import { rowLimit } from '../row-limit.ts';
import type { Names } from './names.ts';
import type { Ask } from './pool.ts';
import { readText, writeText } from './rows.ts';

/** A vector space as the index knows it. */
export interface Space {
  readonly number: number;
  readonly dimensions: number;
}

/** The space of this name; undefined where no vector was ever added to it. */
export async function findSpace(ask: Ask, { index }: Names, name: string): Promise<Space | undefined> {
  const [row] = await ask(`SELECT number, dimensions FROM ${index}.spaces WHERE name = $1`, [
    writeText(name),
  ]);
  return row && { number: Number(row.number), dimensions: Number(row.dimensions) };
}

/** Stores vectors; one whose text has left the index in the meantime is dropped, as nothing would ever remove it. */
export async function insertVectors(
  ask: Ask,
  names: Names,
  name: string,
  entries: readonly VectorEntry[],
): Promise<void> {
  const [first] = entries;
  if (!first) return;
  const known = await findSpace(ask, names, name);
  const dimensions = known?.dimensions ?? first.vector.length;
  for (const { vector } of entries) assertVector(vector, dimensions);
  const space = known?.number ?? (await insertSpace(ask, names, name, dimensions));
  // One statement must not write a row twice: of vectors with the same key the last one counts.
  const vectors = new Map(entries.map(({ embeddingKey, vector }) => [writeText(embeddingKey), vector]));
  await ask(
    `WITH given AS (
       SELECT e.number, vector::text::${names.vector}.halfvec AS vector
       FROM unnest($2::text[], $3::text[]) AS row (key, vector) JOIN ${names.index}.embeddings e USING (key)
     ), added AS (
       INSERT INTO ${names.index}.vectors SELECT $1::integer, number, vector FROM given ON CONFLICT DO NOTHING
       RETURNING embedding
     ), changed AS (
       UPDATE ${names.index}.vectors v SET vector = given.vector FROM given
       WHERE v.space = $1::integer AND v.embedding = given.number
     )
     UPDATE ${names.index}.spaces SET embedded = embedded + (
       SELECT count(*) FROM added JOIN ${names.index}.chunks c ON c.embedding = added.embedding
     ) WHERE number = $1::integer`,
    [space, [...vectors.keys()], [...vectors.values()].map(vectorText)],
  );
}

/** Forgets a space and its vectors. */
export async function dropSpace(ask: Ask, names: Names, name: string): Promise<void> {
  const known = await findSpace(ask, names, name);
  if (!known) return;
  const { index } = names;
  await ask(`DROP INDEX IF EXISTS ${index}.graph_${known.number}`);
  await ask(`DELETE FROM ${index}.vectors WHERE space = $1`, [known.number]);
  await ask(`DELETE FROM ${index}.spaces WHERE number = $1`, [known.number]);
}

/** Texts without a vector in the space, in the order in which they first came into the index. */
export async function findMissingVectors(
  ask: Ask,
  { index }: Names,
  name: string,
  limit: number,
  after: number,
): Promise<MissingVector[]> {
  const rows = await ask(
    `SELECT e.number, e.key, c.header, c.text FROM ${index}.embeddings e
     CROSS JOIN LATERAL (
       SELECT header, text FROM ${index}.chunks WHERE embedding = e.number ORDER BY number LIMIT 1
     ) c
     WHERE e.number > $1 AND NOT EXISTS (
       SELECT 1 FROM ${index}.vectors v JOIN ${index}.spaces s ON s.number = v.space
       WHERE v.embedding = e.number AND s.name = $2
     ) ORDER BY e.number LIMIT $3`,
    [after, writeText(name), rowLimit(limit)],
  );
  return rows.map((row) => ({
    embeddingKey: readText(row.key),
    text: embeddedText({ header: readText(row.header), text: readText(row.text) }),
    position: Number(row.number),
  }));
}

/** Those of the keys whose text has its vector in the space. */
export async function findKeysWithVector(
  ask: Ask,
  { index }: Names,
  name: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await ask(
    `SELECT e.key FROM ${index}.embeddings e JOIN ${index}.vectors v ON v.embedding = e.number
     JOIN ${index}.spaces s ON s.number = v.space WHERE s.name = $1 AND e.key = ANY($2::text[])`,
    [writeText(name), keys.map(writeText)],
  );
  const found = new Set(rows.map(({ key }) => readText(key)));
  return new Set(keys.filter((key) => found.has(key)));
}

/** The vectors of those of the keys that have one in the space. */
export async function findVectors(
  ask: Ask,
  { index }: Names,
  name: string,
  keys: readonly string[],
): Promise<VectorEntry[]> {
  const rows = await ask(
    `SELECT e.key, v.vector::text AS vector FROM ${index}.embeddings e JOIN ${index}.vectors v ON v.embedding = e.number
     JOIN ${index}.spaces s ON s.number = v.space WHERE s.name = $1 AND e.key = ANY($2::text[])`,
    [writeText(name), keys.map(writeText)],
  );
  return rows.map(({ key, vector }) => ({ embeddingKey: readText(key), vector: readVector(vector) }));
}

/** A vector whose length is as near to one as half precision keeps it. */
const nearlyOne = 0.01;

/**
 * A vector as the server reads it. What counts is the direction, and half precision ends at 65,504: others than those of
 * length one are brought to it. One that was read is not touched, so that writing it again changes nothing.
 */
export function vectorText(vector: Float32Array): string {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  const divisor = Math.abs(length - 1) < nearlyOne ? 1 : length;
  return `[${Array.from(vector, (value) => (value / divisor).toPrecision(6)).join(',')}]`;
}

/** The vector that the server shows as text. */
function readVector(text: unknown): Float32Array {
  return Float32Array.from(JSON.parse(String(text)) as number[]);
}

async function insertSpace(ask: Ask, { index }: Names, name: string, dimensions: number): Promise<number> {
  const [row] = await ask(`INSERT INTO ${index}.spaces (name, dimensions) VALUES ($1, $2) RETURNING number`, [
    writeText(name),
    dimensions,
  ]);
  return Number(row?.number);
}
