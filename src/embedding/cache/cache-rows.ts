import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { VectorCacheStats } from '../../contracts/vector-cache.ts';
import type { TokenSketch } from '../../core/vectors/token-sketch.ts';
import { hasSketches, sizesOf } from './cache-file.ts';
import {
  bytesOfVector,
  createSketchSeal,
  createVectorSeal,
  hashOfText,
  vectorOfBytes,
} from './sealed-vector.ts';

/** A text's key with its vector, which is of unit length. */
export interface KeyedVector {
  /** SHA-256 of the text. */
  readonly key: Uint8Array;
  readonly vector: Float32Array;
  readonly sketch?: TokenSketch;
}

/** What a look into the file found. */
export interface Findings {
  /** One for each text, in order. */
  readonly vectors: readonly (Float32Array | undefined)[];
  /** Rows whose last use is to be written. */
  readonly used: readonly number[];
  /** Rows to be deleted: damaged, or of another length than their space has by now. */
  readonly useless: readonly number[];
  /** How many of the useless are not what was once written. */
  readonly damaged: number;
}

/** Looks texts up; every row is checked before it is used. */
export function lookUp(
  database: DatabaseSync,
  fingerprint: string,
  texts: readonly string[],
  hour: number,
): Findings {
  const vectors: (Float32Array | undefined)[] = Array(texts.length).fill(undefined);
  const used: number[] = [];
  const useless: number[] = [];
  let damaged = 0;
  const space = spaceOf(database, fingerprint);
  if (!space) return { vectors, used, useless, damaged };
  const seal = createVectorSeal(fingerprint);
  const select = database.prepare('SELECT id, used, content FROM vectors WHERE space = ? AND hash = ?');
  for (const { index, key, row } of rowsOf(select, space.number, texts)) {
    const vector = vectorOfBytes(seal.open(key, row.content));
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

/** Sketches, one for each text in order, and the rows whose last use is to be written. */
export interface FoundSketches {
  readonly sketches: readonly (TokenSketch | undefined)[];
  readonly used: readonly number[];
}

/** The sketches of texts, each checked; none where a file was made before there were sketches and cannot be changed. */
export function lookUpSketches(
  database: DatabaseSync,
  fingerprint: string,
  texts: readonly string[],
  hour: number,
): FoundSketches {
  const sketches: (TokenSketch | undefined)[] = Array(texts.length).fill(undefined);
  const used: number[] = [];
  const space = hasSketches(database) ? spaceOf(database, fingerprint) : undefined;
  if (!space) return { sketches, used };
  const seal = createSketchSeal(fingerprint);
  const select = database.prepare(
    `SELECT sketches.id, sketches.used, sketches.content FROM vectors JOIN sketches USING (id)
     WHERE space = ? AND hash = ?`,
  );
  for (const { index, key, row } of rowsOf(select, space.number, texts)) {
    sketches[index] = seal.open(key, row.content);
    if (row.used !== hour) used.push(Number(row.id));
  }
  return { sketches, used };
}

/** The rows that a statement finds for texts of a space, with the place and the key of each text. */
function* rowsOf(select: StatementSync, space: number, texts: readonly string[]) {
  for (const [index, text] of texts.entries()) {
    const key = hashOfText(text);
    const row = key && select.get(space, key);
    if (key && row) yield { index, key, row };
  }
}

/**
 * What happens to what is there. `replace`, for what a model made: it takes the place of earlier vectors, and vectors of
 * another length make the space one of their length, so that what it held before is no longer found. `add`, for what
 * comes from elsewhere: nothing that is there changes.
 */
const onConflict = {
  replace: {
    space: 'UPDATE SET dimensions = excluded.dimensions',
    vector: 'UPDATE SET content = excluded.content, used = excluded.used',
  },
  add: { space: 'NOTHING', vector: 'NOTHING' },
} as const;

/** What became of vectors that were to be written. */
export interface Written {
  /** Rows that are new or were replaced. */
  readonly changed: number;
  /** Vectors that do not have the length of the space; where the space is new the first vector decides it. */
  readonly unfit: number;
}

/** Writes vectors of one space. */
export function writeVectors(
  database: DatabaseSync,
  way: keyof typeof onConflict,
  fingerprint: string,
  entries: readonly KeyedVector[],
  hour: number,
): Written {
  const { space: onSpace, vector: onVector } = onConflict[way];
  database
    .prepare(`INSERT INTO spaces (fingerprint, dimensions) VALUES (?, ?) ON CONFLICT DO ${onSpace}`)
    .run(fingerprint, entries[0]?.vector.length ?? 0);
  const space = spaceOf(database, fingerprint);
  const seal = createVectorSeal(fingerprint);
  const sketchSeal = createSketchSeal(fingerprint);
  const insert = database.prepare(
    `INSERT INTO vectors (space, hash, used, content) VALUES (?, ?, ?, ?)
     ON CONFLICT (space, hash) DO ${onVector}`,
  );
  // A sketch is a function of the text: one that was kept before holds for a new vector too.
  const keep = database.prepare(
    `INSERT OR REPLACE INTO sketches (id, used, content)
     SELECT id, used, ? FROM vectors WHERE space = ? AND hash = ?`,
  );
  const fitting = entries.filter(({ vector }) => vector.length === space?.dimensions);
  let changed = 0;
  for (const { key, vector, sketch } of fitting) {
    const sealed = seal.close(key, bytesOfVector(vector));
    changed += Number(insert.run(space?.number ?? 0, key, hour, sealed).changes);
    if (sketch) keep.run(sketchSeal.close(key, sketch), space?.number ?? 0, key);
  }
  return { changed, unfit: entries.length - fitting.length };
}

function spaceOf(database: DatabaseSync, fingerprint: string) {
  const row = database
    .prepare('SELECT number, dimensions FROM spaces WHERE fingerprint = ?')
    .get(fingerprint);
  return row && { number: Number(row.number), dimensions: Number(row.dimensions) };
}

/** Counts what the file holds. */
export function readStats(database: DatabaseSync): Omit<VectorCacheStats, 'file' | 'limit'> {
  const spaces = database
    .prepare(
      `SELECT fingerprint, dimensions, count(*) AS entries
       FROM spaces JOIN vectors ON vectors.space = spaces.number
       GROUP BY spaces.number ORDER BY fingerprint`,
    )
    .all()
    .map((row) => ({
      name: String(row.fingerprint),
      dimensions: Number(row.dimensions),
      entries: Number(row.entries),
    }));
  const oldest = database.prepare('SELECT min(used) AS hour FROM vectors').get()?.hour;
  const tally = database.prepare('SELECT hits, misses, damaged FROM tally').get();
  return {
    entries: spaces.reduce((sum, space) => sum + space.entries, 0),
    bytes: sizesOf(database).file,
    spaces,
    ...(typeof oldest === 'number' && { oldestUse: oldest * 3_600_000 }),
    hits: Number(tally?.hits ?? 0),
    misses: Number(tally?.misses ?? 0),
    damaged: Number(tally?.damaged ?? 0),
  };
}

/** Removes all vectors, spaces and counts; returns how many vectors there were. */
export function clearAll(database: DatabaseSync): number {
  const removed = database.prepare('SELECT count(*) AS count FROM vectors').get()?.count;
  database.exec(
    'DELETE FROM vectors; DELETE FROM spaces; UPDATE tally SET hits = 0, misses = 0, damaged = 0',
  );
  return Number(removed);
}
