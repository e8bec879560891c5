import type { ChunkVector } from '../../contracts/store.ts';
import { QuarryError } from '../../core/errors.ts';
import { threadFile } from '../../platform/package-folder.ts';
import { createThread } from '../../platform/threads/thread.ts';
import type { Project } from '../project.ts';
import type { MapRequest } from './map-thread.ts';

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
  /** Two numbers a chunk; the finer layout under `true`. */
  readonly places: Map<boolean, Float32Array>;
}

/** The chunks of a project in a plane, near each other where they mean alike. The same index gives the same map. */
export async function mapProject(project: Project, { limit, fine, signal }: MapOptions): Promise<MapPoint[]> {
  const store = await project.store();
  const { fingerprint } = await project.embedder();
  const width = await store.dimensions(fingerprint);
  if (!store.chunkVectors || width === undefined) {
    if (store.chunkVectors) return [];
    throw new QuarryError(
      'capability-missing',
      'This store does not give its vectors back.',
      'Set store.driver = "sqlite" to see a map.',
    );
  }
  // Before the chunks are read: what is written meanwhile makes the key an old one.
  const key = `${await store.revision()} ${fingerprint} ${limit}`;
  const former = known.get(project);
  const kept: KeptMap = former?.key === key ? former : { key, chunks: [], places: new Map() };
  const formerPlaces = kept.places.get(fine);
  if (formerPlaces) return pointsOf(kept.chunks, formerPlaces);
  const chunks: Omit<ChunkVector, 'vector'>[] = [];
  const parts: Float32Array[] = [];
  for await (const { vector, ...chunk } of store.chunkVectors(fingerprint, limit)) {
    signal?.throwIfAborted();
    chunks.push(chunk);
    parts.push(vector);
  }
  const values = new Float32Array(chunks.length * width);
  for (const [row, part] of parts.entries()) values.set(part, row * width);
  const places = await placesOf({ values, count: chunks.length, width, fine }, signal);
  known.set(project, { key, chunks, places: new Map(kept.places).set(fine, places) });
  return pointsOf(chunks, places);
}

function pointsOf(chunks: KeptMap['chunks'], places: Float32Array): MapPoint[] {
  const [x, y] = [0, 1].map((axis) => spreadOf(places, axis));
  return chunks.map((chunk, row) => ({
    ...chunk,
    x: x?.(places[row * 2] ?? 0) ?? 0,
    y: y?.(places[row * 2 + 1] ?? 0) ?? 0,
  }));
}

async function placesOf(
  request: MapRequest & { readonly values: Float32Array<ArrayBuffer> },
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  const thread = createThread<MapRequest, Float32Array>({ file: threadFile('project/map/map-thread') });
  try {
    return await thread.call(request, { signal, transfer: [request.values.buffer] });
  } finally {
    await thread.end();
  }
}

/** Brings the values of an axis between 0 and 1. */
function spreadOf(places: Float32Array, axis: number): (value: number) => number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = axis; index < places.length; index += 2) {
    least = Math.min(least, places[index] as number);
    most = Math.max(most, places[index] as number);
  }
  return (value) => (most > least ? (value - least) / (most - least) : 0.5);
}
