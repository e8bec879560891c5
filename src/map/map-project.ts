import { type ChunkVector, chunkVectors } from '../index/chunk-vectors.ts';
import { threadFile } from '../platform/package-folder.ts';
import { createThread } from '../platform/threads/thread.ts';
import type { Project } from '../project/project.ts';
import type { MapRequest } from './map-thread.ts';
import type { Rows } from './principal-axes.ts';

/** A chunk without its vector, and its place in the plane, from 0 to 1 along both axes. */
export interface MapPoint extends Omit<ChunkVector, 'vector'> {
  readonly x: number;
  readonly y: number;
}

/** How a map is drawn. */
export interface MapOptions {
  readonly limit: number;
  readonly fine: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The last map of a project, as long as that is open: to look at it again reads and computes nothing. */
const known = new WeakMap<Project, KeptMap>();

interface KeptMap {
  readonly key: string;
  readonly chunks: readonly Omit<ChunkVector, 'vector'>[];
  /** The vectors along their principal axes: the first two are the rough map, and the finer layout is made from all. */
  readonly axes: Rows;
  /** The finer layout, once it was asked for. */
  readonly layout?: Rows;
}

/** The chunks of a project in a plane, near each other where they mean alike. The same index gives the same map. */
export async function mapProject(project: Project, { limit, fine, signal }: MapOptions): Promise<MapPoint[]> {
  const store = await project.store();
  const { fingerprint } = await project.embedder();
  const width = (await store.state()).spaces.get(fingerprint)?.dimensions;
  if (width === undefined) return [];
  // Before the chunks are read: what is written meanwhile makes the key an old one.
  const key = `${(await store.state()).revision} ${fingerprint} ${limit}`;
  const previous = known.get(project);
  const vectors = chunkVectors(store, fingerprint, limit, signal);
  const read = previous?.key === key ? previous : { key, ...(await readChunks(vectors, width, signal)) };
  const layout = fine ? (read.layout ?? (await layoutOf(read.axes, signal))) : read.layout;
  known.set(project, { ...read, ...(layout && { layout }) });
  return pointsOf(read.chunks, fine && layout ? layout : read.axes);
}

async function readChunks(
  vectors: AsyncIterable<ChunkVector>,
  width: number,
  signal: AbortSignal | undefined,
): Promise<Pick<KeptMap, 'chunks' | 'axes'>> {
  const chunks: Omit<ChunkVector, 'vector'>[] = [];
  const parts: Float32Array[] = [];
  for await (const { vector, ...chunk } of vectors) {
    signal?.throwIfAborted();
    chunks.push(chunk);
    parts.push(vector);
  }
  const count = chunks.length;
  const values = new Float32Array(count * width);
  for (const [row, part] of parts.entries()) values.set(part, row * width);
  const along = await inThread({ wanted: 'axes', values, count, width }, signal);
  return { chunks, axes: { values: along, count, width: along.length / Math.max(1, count) } };
}

async function layoutOf({ values, ...rows }: Rows, signal: AbortSignal | undefined): Promise<Rows> {
  const places = await inThread({ wanted: 'layout', ...rows, values: values.slice() }, signal);
  return { values: places, count: rows.count, width: 2 };
}

function pointsOf(chunks: KeptMap['chunks'], places: Rows): MapPoint[] {
  const [x, y] = [alongAxis(places, 0), alongAxis(places, 1)];
  return chunks.map((chunk, row) => ({ ...chunk, x: x(row), y: y(row) }));
}

async function inThread(
  request: MapRequest,
  signal: AbortSignal | undefined,
): Promise<Float32Array<ArrayBuffer>> {
  const thread = createThread<MapRequest, Float32Array<ArrayBuffer>>({
    file: threadFile('map/map-thread'),
  });
  try {
    return await thread.call(request, { signal, transfer: [request.values.buffer] });
  } finally {
    await thread.end();
  }
}

/** Where a row lies along an axis, from 0 to 1. */
function alongAxis({ values, width }: Rows, axis: number): (row: number) => number {
  if (axis >= width) return () => 0.5;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = axis; index < values.length; index += width) {
    least = Math.min(least, values[index] as number);
    most = Math.max(most, values[index] as number);
  }
  return (row) => (most > least ? ((values[row * width + axis] as number) - least) / (most - least) : 0.5);
}
