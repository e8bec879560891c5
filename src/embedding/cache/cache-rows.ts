import type { CacheFile } from './cache-file.ts';
import { bytesOfVector, createVectorSeal, hashOfText } from './sealed-vector.ts';

/** A text's key with its vector, which is of unit length. */
export interface KeyedVector {
  /** SHA-256 of the text. */
  readonly key: Uint8Array;
  readonly vector: Float32Array;
}

/** What a look into the file found. */
export interface Findings {
  /** One for each text, in order. */
  readonly vectors: readonly (Float32Array | undefined)[];
  /** Rows whose last use is to be written down. */
  readonly used: readonly number[];
  /** Rows to be deleted: damaged, or of another length than their space has by now. */
  readonly useless: readonly number[];
  /** How many of the useless are not what was once written. */
  readonly damaged: number;
}

/** What became of vectors that were to be written. */
export interface Written {
  /** Rows that are new or were replaced. */
  readonly changed: number;
  /** Vectors that do not fit the space. */
  readonly unfit: number;
}

/** Looks texts up; every row is checked before it is believed. */
export function lookUp(
  file: CacheFile,
  fingerprint: string,
  texts: readonly string[],
  hour: number,
): Findings {
  const vectors: (Float32Array | undefined)[] = Array(texts.length).fill(undefined);
  const used: number[] = [];
  const useless: number[] = [];
  let damaged = 0;
  const space = spaceOf(file, fingerprint);
  if (!space) return { vectors, used, useless, damaged };
  const seal = createVectorSeal(fingerprint);
  const select = file.statement('SELECT id, used, content FROM vectors WHERE space = ? AND hash = ?');
  for (const [index, text] of texts.entries()) {
    const key = hashOfText(text);
    const row = key && select.get(space.number, key);
    if (!key || !row) continue;
    const vector = row.content instanceof Uint8Array ? seal.open(key, row.content) : undefined;
    if (vector?.length === space.dimensions) {
      vectors[index] = vector;
      if (row.used !== hour) used.push(Number(row.id));
    } else {
      useless.push(Number(row.id));
      if (!vector) damaged += 1;
    }
  }
  return { vectors, used, useless, damaged };
}

/**
 * Writes what a model made: it takes the place of what was there. Vectors of another length than the space has make
 * it one of their length, and what it held before is no longer found; within one call the first decides.
 */
export function replaceVectors(
  file: CacheFile,
  fingerprint: string,
  entries: readonly KeyedVector[],
  hour: number,
): Written {
  const dimensions = entries[0]?.vector.length ?? 0;
  file
    .statement(
      `INSERT INTO spaces (fingerprint, dimensions) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET dimensions = excluded.dimensions WHERE dimensions <> excluded.dimensions`,
    )
    .run(fingerprint, dimensions);
  return writeVectors(
    file,
    fingerprint,
    entries,
    hour,
    'UPDATE SET content = excluded.content, used = excluded.used',
  );
}

/** Writes what came from elsewhere: it never takes the place of anything. */
export function addVectors(
  file: CacheFile,
  fingerprint: string,
  entries: readonly KeyedVector[],
  hour: number,
): Written {
  const dimensions = entries[0]?.vector.length ?? 0;
  file
    .statement('INSERT INTO spaces (fingerprint, dimensions) VALUES (?, ?) ON CONFLICT DO NOTHING')
    .run(fingerprint, dimensions);
  return writeVectors(file, fingerprint, entries, hour, 'NOTHING');
}

function writeVectors(
  file: CacheFile,
  fingerprint: string,
  entries: readonly KeyedVector[],
  hour: number,
  onConflict: string,
): Written {
  const space = spaceOf(file, fingerprint);
  const seal = createVectorSeal(fingerprint);
  const insert = file.statement(
    `INSERT INTO vectors (space, hash, used, content) VALUES (?, ?, ?, ?)
     ON CONFLICT (space, hash) DO ${onConflict}`,
  );
  let changed = 0;
  let unfit = 0;
  for (const { key, vector } of entries) {
    if (!space || vector.length !== space.dimensions) unfit += 1;
    else
      changed += Number(insert.run(space.number, key, hour, seal.close(key, bytesOfVector(vector))).changes);
  }
  return { changed, unfit };
}

/** Writes down that rows were used. */
export function markUsed(file: CacheFile, rows: Iterable<number>, hour: number): void {
  const update = file.statement('UPDATE vectors SET used = ? WHERE id = ?');
  for (const row of rows) update.run(hour, row);
}

/** Deletes rows. */
export function removeRows(file: CacheFile, rows: Iterable<number>): void {
  const remove = file.statement('DELETE FROM vectors WHERE id = ?');
  for (const row of rows) remove.run(row);
}

/** Deletes the rows that were used least recently, as many as are asked for; returns how many there were. */
export function removeLeastUsed(file: CacheFile, count: number): number {
  const { changes } = file
    .statement('DELETE FROM vectors WHERE id IN (SELECT id FROM vectors ORDER BY used, id LIMIT ?)')
    .run(count);
  return Number(changes);
}

/** What a space is in the file: its number, and the length of its vectors. */
export function spaceOf(
  file: CacheFile,
  fingerprint: string,
): { readonly number: number; readonly dimensions: number } | undefined {
  const row = file.statement('SELECT number, dimensions FROM spaces WHERE fingerprint = ?').get(fingerprint);
  return row && { number: Number(row.number), dimensions: Number(row.dimensions) };
}
