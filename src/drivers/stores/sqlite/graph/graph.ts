import { crc32 } from 'node:zlib';
import { messageOf } from '../../../../core/errors.ts';
import type { Proof } from '../../../../platform/proof.ts';
import { type GraphFile, readGraphStamp } from './file.ts';
import type { MakeIndex, UsearchIndex } from './load-usearch.ts';
import type { GraphStamp } from './stamp.ts';

/** Reads one row of the database that a graph was made from. */
export type ReadRow = (sql: string, ...parameters: number[]) => Readonly<Record<string, unknown>> | undefined;

/** How many vectors of the file are compared with what the graph's stamp says of them. */
const sampleCount = 64;

/** A graph that answers, mapped from its file: it proposes vectors, and the database says what they are worth. */
export interface Graph {
  readonly stamp: GraphStamp;
  /** Numbers of vectors near the given one, nearest first as far as the graph knows. */
  propose(vector: Float32Array, count: number): number[];
}

/** What opening a graph file came to. */
export type GraphOpening =
  | { readonly graph: Graph }
  /** Its proof or its stamp is wrong: it is damaged, not ours or of another state of the database, and may be removed. */
  | 'wrong'
  /** Why it cannot be read or mapped at the moment: nothing is known to be wrong with it, and it must stay. */
  | { readonly unavailable: string };

/** Opens a graph file; a trusted one is not read through for damage. */
export function openGraph(
  { path, space }: GraphFile,
  read: ReadRow,
  makeIndex: MakeIndex,
  proof: Proof,
  options: { readonly isTrusted?: boolean } = {},
): GraphOpening {
  const opened = available(() => readGraphStamp(path, proof, options));
  if ('unavailable' in opened) return opened;
  const { value: stamp } = opened;
  if (!stamp || stamp.space !== space || !isOfDatabase(stamp, read)) return 'wrong';
  const mapped = available(() => mapIndex(makeIndex(stamp.dimensions), path));
  if ('unavailable' in mapped) return mapped;
  const { value: index } = mapped;
  if (index.size() !== stamp.count || index.dimensions() !== stamp.dimensions) return 'wrong';
  return { graph: { stamp, propose: (vector, count) => propose(index, vector, count) } };
}

function available<Value>(work: () => Value): { value: Value } | { unavailable: string } {
  try {
    return { value: work() };
  } catch (error) {
    return { unavailable: messageOf(error) };
  }
}

function mapIndex(index: UsearchIndex, path: string): UsearchIndex {
  // Windows does not let go of a mapped file, so that nothing could ever remove it: there it is read instead.
  if (process.platform === 'win32') index.load(path);
  else index.view(path);
  return index;
}

/** The highest number that a vector of the database ever had. */
export function reachedVector(read: ReadRow): number {
  return Number(read("SELECT seq FROM sqlite_sequence WHERE name = 'vectors'")?.seq ?? 0);
}

/** Checksums of vectors that stand evenly spread in the file, up to the last one of a graph. */
export function takeSamples(read: ReadRow, space: number, lastVector: number): GraphStamp['samples'] {
  const samples = new Map<number, number>();
  for (let part = 0; part < sampleCount; part += 1) {
    const row = read(
      'SELECT number, components FROM vectors WHERE number >= ? AND number <= ? AND +space = ? ORDER BY number LIMIT 1',
      Math.floor((lastVector * part) / sampleCount),
      lastVector,
      space,
    );
    if (row) samples.set(Number(row.number), crc32(row.components as Uint8Array)); // The column holds only blobs.
  }
  return [...samples].map(([number, checksum]) => ({ number, checksum }));
}

// A vector's number is never given to another one within the life of a database. So a graph of another database shows
// by numbers that stand for other vectors here, or by numbers that this one has not reached.
function isOfDatabase({ space, lastVector, samples }: GraphStamp, read: ReadRow): boolean {
  if (reachedVector(read) < lastVector) return false;
  let found = 0;
  for (const { number, checksum } of samples) {
    const row = read('SELECT space, components FROM vectors WHERE number = ?', number);
    if (!row) continue;
    if (Number(row.space) !== space || crc32(row.components as Uint8Array) !== checksum) return false;
    found += 1;
  }
  return found > 0;
}

function propose(index: UsearchIndex, vector: Float32Array, count: number): number[] {
  const wanted = Math.min(count, index.size());
  return wanted === 0 ? [] : Array.from(index.search(vector, wanted, 1).keys, Number);
}
