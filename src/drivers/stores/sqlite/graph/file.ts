import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Proof } from '../../../../platform/proof.ts';
import { tryLock } from '../../../../platform/sqlite/writer-lock.ts';
import type { UsearchIndex } from './load-usearch.ts';
import { decodeStamp, encodeStamp, type GraphStamp, maxStampLength } from './stamp.ts';

const pieceBytes = 4 * 1024 * 1024;

/** A graph file beside a database. Each graph has a name of its own: nothing is ever written in place. */
export interface GraphFile {
  readonly path: string;
  readonly space: number;
  readonly lastVector: number;
  /** Vectors inside; a graph that was rebuilt without its dead ones has the same last vector and fewer of them. */
  readonly count: number;
}

/** The graph files of a database, newest first; throws where the folder cannot be read at the moment. */
export function listGraphFiles(database: string): GraphFile[] {
  const prefix = `${basename(database)}.vectors-`;
  // A link, a pipe or a device under such a name is no graph: the library would follow it, or wait for it.
  return readdirSync(dirname(database), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith(prefix))
    .flatMap(({ name }) => {
      const match = /^(\d+)-(\d+)-(\d+)\.usearch$/.exec(name.slice(prefix.length));
      if (!match) return [];
      const path = join(dirname(database), name);
      const [space = 0, lastVector = 0, count = 0] = match.slice(1).map(Number);
      return [{ path, space, lastVector, count }];
    })
    .sort((one, other) => other.lastVector - one.lastVector || one.count - other.count);
}

/** Where the lock stands that keeps two processes from making the same graph. */
export function graphLockPath(database: string): string {
  return `${database}.vectors-lock`;
}

/** Writes a graph so that no reader ever sees half of it, and returns where it stands. */
export function writeGraphFile(
  database: string,
  index: UsearchIndex,
  facts: Pick<GraphStamp, 'space' | 'lastVector' | 'samples'>,
  proof: Proof,
): GraphFile {
  const { space, lastVector } = facts;
  const count = index.size();
  const path = `${database}.vectors-${space}-${lastVector}-${count}.usearch`;
  const part = `${path}.part`;
  // The library would follow a link.
  removeGraphFile(part);
  try {
    index.save(part);
    stampPart(part, { version: 2, dimensions: index.dimensions(), count, ...facts }, proof);
    renameSync(part, path);
  } catch (error) {
    // On a full disk half a graph would take the room that is missing.
    removeGraphFile(part);
    throw error;
  }
  return { path, space, lastVector, count };
}

function stampPart(part: string, known: Omit<GraphStamp, 'bytes' | 'proof'>, proof: Proof): void {
  const file = openSync(part, 'r+');
  try {
    const { size } = fstatSync(file);
    const end = encodeStamp({ ...known, bytes: size, proof: proofOf(file, size, proof) }, proof);
    writeSync(file, end, 0, end.length, size);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * The stamp of a graph file; undefined where the file is gone, cut off or changed, or was not made by this user: the library
 * trusts what it reads. Throws where it cannot be read at the
 * moment: too many open files, or a disk that does not answer, say nothing about the file.
 */
export function readGraphStamp(
  path: string,
  proof: Proof,
  { isTrusted = false } = {},
): GraphStamp | undefined {
  const file = openIfThere(path);
  if (file === undefined) return undefined;
  try {
    const { size } = fstatSync(file);
    const end = Buffer.alloc(Math.min(size, maxStampLength));
    readSync(file, end, 0, end.length, size - end.length);
    const stamp = decodeStamp(end, size, proof);
    if (!stamp || isTrusted) return stamp;
    return proofOf(file, stamp.bytes, proof) === stamp.proof ? stamp : undefined;
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes a graph file; one that is in use on Windows, or in a folder that cannot be written, stays. */
export function removeGraphFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It is tried again when the next graph is made.
  }
}

/** Removes what writers that were killed left behind. Only for the one who holds the lock. */
export function removeParts(database: string): void {
  for (const path of listParts(database)) removeGraphFile(path);
}

/** Graphs that are being written, or were when their writer was killed; none where the folder cannot be read. */
export function listParts(database: string): string[] {
  const prefix = `${basename(database)}.vectors-`;
  try {
    return readdirSync(dirname(database))
      .filter((name) => name.startsWith(prefix) && name.endsWith('.part'))
      .map((name) => join(dirname(database), name));
  } catch {
    // They are found when the folder can be read again.
    return [];
  }
}

function proofOf(file: number, bytes: number, proof: Proof): string {
  const piece = Buffer.alloc(Math.min(pieceBytes, Math.max(1, bytes)));
  const pieces = proof.ofPieces('graph');
  for (let place = 0; place < bytes; ) {
    const length = readSync(file, piece, 0, Math.min(piece.length, bytes - place), place);
    if (length === 0) break;
    pieces.add(piece.subarray(0, length));
    place += length;
  }
  return pieces.end().toString('hex');
}

/** Removes what killed writers of graphs left behind, unless one is at work: what stands there is its own then. */
export async function removeLeftovers(database: string): Promise<void> {
  if (listParts(database).length === 0) return;
  // Where no lock can be had nothing can be removed either, and nobody waits for that.
  const lock = await tryLock(graphLockPath(database)).catch(() => undefined);
  if (!lock) return;
  try {
    removeParts(database);
  } finally {
    lock.release();
  }
}
