import type { DatabaseSync } from 'node:sqlite';
import { QuarryError } from '../../../../core/errors.ts';
import type { Proof } from '../../../../platform/proof.ts';
import { loadSqlite } from '../../../../platform/sqlite/load-sqlite.ts';
import { waitForLock } from '../../../../platform/sqlite/writer-lock.ts';
import { readIdentity } from '../layout/identity.ts';
import { isDropped } from '../layout/rows.ts';
import {
  type GraphFile,
  graphLockPath,
  listGraphFiles,
  removeGraphFile,
  removeParts,
  writeGraphFile,
} from './file.ts';
import { openGraph, type ReadRow, takeSamples } from './graph.ts';
import { graphLag, isStale, isWornOut } from './lag.ts';
import type { MakeIndex } from './load-usearch.ts';

/** What a graph is to be made of. */
export interface GraphTask {
  /** Path of the database. */
  readonly database: string;
  readonly space: number;
  readonly dimensions: number;
  /** A graph that lacks no more than this much of the file is good enough. */
  readonly missingBytes: number;
  readonly threads: number;
  /** The key of the user, by which the database and its graphs are recognised. */
  readonly key: Uint8Array;
}

/** Takes how many vectors the graph has, as it grows. */
export type ReportProgress = (vectors: number) => void;

/** Vectors added in one call: the library cannot be interrupted within one. */
const batchSize = 512;

/**
 * Makes a graph of a space, or adds to the one that is there what it lacks; returns undefined for an empty space.
 * Processes that want the same wait for each other, and the second one finds the work done.
 */
export async function growGraph(
  task: GraphTask,
  makeIndex: MakeIndex,
  report: ReportProgress = () => undefined,
): Promise<GraphFile | undefined> {
  const lock = await waitForLock(graphLockPath(task.database));
  try {
    removeParts(task.database);
    const { DatabaseSync: Database } = loadSqlite();
    const database = new Database(task.database, { readOnly: true });
    try {
      // The one who asks for it has looked at the layout.
      const proof = readIdentity(database, task.database, task.key);
      return grow(task, database, makeIndex, report, proof);
    } finally {
      database.close();
    }
  } finally {
    lock.release();
  }
}

function grow(
  task: GraphTask,
  database: DatabaseSync,
  makeIndex: MakeIndex,
  report: ReportProgress,
  proof: Proof,
): GraphFile | undefined {
  const read: ReadRow = (sql, ...parameters) => database.prepare(sql).get(...parameters);
  const known = usableFile(task, read, makeIndex, proof);
  if (known?.isFresh) return known.file;
  const index = makeIndex(task.dimensions);
  if (known?.isWorthAdding) index.load(known.file.path);
  const after = known?.isWorthAdding ? known.file.lastVector : 0;
  const lastVector = addVectors(task, database, index, after, report);
  if (index.size() === 0) return undefined;
  const samples = takeSamples(read, task.space, lastVector);
  const file = writeGraphFile(task.database, index, { space: task.space, lastVector, samples }, proof);
  removeOthers(task.database, file, database);
  return file;
}

/**
 * The newest graph that is whole and of this database; wrong ones are removed on the way. Throws where one cannot be
 * read at the moment: it took minutes, and the next attempt may find it sound.
 */
function usableFile(task: GraphTask, read: ReadRow, makeIndex: MakeIndex, proof: Proof) {
  for (const file of listGraphFiles(task.database).filter(({ space }) => space === task.space)) {
    const opening = openGraph(file, read, makeIndex, proof);
    if (opening === 'wrong') {
      removeGraphFile(file.path);
      continue;
    }
    if ('unavailable' in opening) throw unavailableGraph(file.path, opening.unavailable);
    const { stamp } = opening.graph;
    if (stamp.dimensions === task.dimensions) {
      const lag = graphLag(stamp, read);
      return { file, isFresh: !isStale(lag, task.missingBytes), isWorthAdding: !isWornOut(lag) };
    }
    removeGraphFile(file.path);
  }
  return undefined;
}

function unavailableGraph(path: string, reason: string): QuarryError {
  return new QuarryError(
    'store-unusable',
    `The graph ${path} cannot be read: ${reason}.`,
    'Check that there is free memory, then run: quarry index',
  );
}

// In small transactions: a reader that holds one for minutes keeps the write-ahead log from being cut back. What
// changes in between is no matter, because a search asks the database about every vector a graph proposes.
function addVectors(
  { space, dimensions, threads }: GraphTask,
  database: DatabaseSync,
  index: ReturnType<MakeIndex>,
  after: number,
  report: ReportProgress,
): number {
  const statement = database.prepare(
    'SELECT number, components FROM vectors WHERE number > ? AND +space = ? ORDER BY number LIMIT ?',
  );
  let last = after;
  for (;;) {
    const rows = statement.all(last, space, batchSize);
    if (rows.length === 0) return last;
    last = Number(rows.at(-1)?.number);
    const sound = rows.filter(({ components }) => (components as Uint8Array).length === dimensions);
    const vectors = new Float32Array(sound.length * dimensions);
    for (const [place, { components }] of sound.entries()) {
      const { buffer, byteOffset, byteLength } = components as Uint8Array;
      vectors.set(new Int8Array(buffer, byteOffset, byteLength), place * dimensions);
    }
    const keys = BigUint64Array.from(sound, ({ number }) => BigInt(Number(number)));
    if (sound.length > 0) index.add(keys, vectors, threads);
    report(index.size());
  }
}

/** Graphs that the new one replaces, and those of spaces that are gone; what cannot be listed now goes the next time. */
function removeOthers(path: string, kept: GraphFile, database: DatabaseSync): void {
  const spaces = new Set(
    database
      .prepare(`SELECT number FROM spaces WHERE NOT ${isDropped}`)
      .all()
      .map(({ number }) => Number(number)),
  );
  let files: GraphFile[] = [];
  try {
    files = listGraphFiles(path);
  } catch {
    // They go the next time.
  }
  for (const file of files) {
    if (file.path === kept.path) continue;
    if (file.space === kept.space || !spaces.has(file.space)) removeGraphFile(file.path);
  }
}
