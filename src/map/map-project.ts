import { createHash } from 'node:crypto';
import type { Project } from '../calls/project.ts';
import { type ChunkVector, chunkVectors } from '../index/chunk-vectors.ts';
import { threadFile } from '../platform/package-folder.ts';
import { createThread } from '../platform/threads/thread.ts';
import { type Area, areasOf } from './areas.ts';
import type { MapRequest } from './map-thread.ts';
import type { Rows } from './principal-axes.ts';
import { sayLittle } from './words-that-say-little.ts';

/** A chunk without its vector, and its place in the plane, from 0 to 1 along both axes. */
export interface MapPoint extends MappedChunk {
  readonly x: number;
  readonly y: number;
}

/** A chunk without its vector and text. */
interface MappedChunk extends Omit<ChunkVector, 'vector' | 'text'> {
  /** Which area it belongs to. */
  readonly area: number;
  /** The first chunk with the same text; absent where there is no other. */
  readonly copyOf?: number;
}

/** A map: its points and the areas they form, the largest first. */
export interface ProjectMap {
  readonly points: readonly MapPoint[];
  readonly areas: readonly Area[];
}

/** How a map is drawn. */
export interface MapOptions {
  readonly limit: number;
  readonly fine: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Characters of a text below which it is no copy of another: headings are alike everywhere. */
const minCopied = 60;

/** The last map of a project, as long as that is open: to look at it again reads and computes nothing. */
const known = new WeakMap<Project, KeptMap>();

interface KeptMap {
  readonly key: string;
  readonly chunks: readonly MappedChunk[];
  readonly areas: readonly Area[];
  /** The vectors along their principal axes: the first two are the rough map, and the finer layout is made from all. */
  readonly axes: Rows;
  /** The finer layout, once it was asked for. */
  readonly layout?: Rows;
}

/** The chunks of a project in a plane, near each other where they mean alike. The same index gives the same map. */
export async function mapProject(project: Project, { limit, fine, signal }: MapOptions): Promise<ProjectMap> {
  const store = await project.store();
  const { fingerprint } = await project.embedder();
  const width = (await store.state()).spaces.get(fingerprint)?.dimensions;
  if (width === undefined) return { points: [], areas: [] };
  // Before the chunks are read: what is written meanwhile makes the key an old one.
  const key = `${(await store.state()).revision} ${fingerprint} ${limit}`;
  const previous = known.get(project);
  const vectors = chunkVectors(store, fingerprint, limit, signal);
  const read = previous?.key === key ? previous : { key, ...(await readChunks(vectors, width, signal)) };
  const layout = fine ? (read.layout ?? (await layoutOf(read.axes, signal))) : read.layout;
  known.set(project, { ...read, ...(layout && { layout }) });
  return { points: pointsOf(read.chunks, fine && layout ? layout : read.axes), areas: read.areas };
}

async function readChunks(
  vectors: AsyncIterable<ChunkVector>,
  width: number,
  signal: AbortSignal | undefined,
): Promise<Pick<KeptMap, 'chunks' | 'areas' | 'axes'>> {
  const chunks: Omit<MappedChunk, 'area'>[] = [];
  const words: string[][] = [];
  const parts: Float32Array[] = [];
  const firstOf = new Map<string, number>();
  for await (const { vector, text, ...chunk } of vectors) {
    signal?.throwIfAborted();
    const plain = text.replace(/\s+/g, ' ').trim();
    const hash = createHash('sha256').update(plain).digest('base64url');
    const first = plain.length < minCopied ? undefined : firstOf.get(hash);
    if (first === undefined) firstOf.set(hash, chunks.length);
    chunks.push({ ...chunk, ...(first !== undefined && { copyOf: first }) });
    words.push(wordsIn(text));
    parts.push(vector);
  }
  const count = chunks.length;
  const values = new Float32Array(count * width);
  for (const [row, part] of parts.entries()) values.set(part, row * width);
  const along = await inThread({ wanted: 'axes', values, count, width }, signal);
  const axes = { values: along, count, width: along.length / Math.max(1, count) };
  const { areas, areaOf } = areasOf(axes, words);
  return { chunks: chunks.map((chunk, row) => ({ ...chunk, area: areaOf[row] ?? 0 })), areas, axes };
}

/** Words of one text that may name an area, and characters that are looked at for them. */
const max = { words: 40, characters: 4000 };

/** The words of a text that may say what it is about, each once; of names in code their parts. */
function wordsIn(text: string): string[] {
  const found = text.slice(0, max.characters).match(/\p{L}\p{Ll}{3,23}|\p{Lu}{4,24}/gu) ?? [];
  const words = new Set(found.map((word) => word.toLowerCase()));
  return [...words].filter((word) => !sayLittle.has(word)).slice(0, max.words);
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
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = axis; index < values.length; index += width) {
    min = Math.min(min, values[index] as number);
    max = Math.max(max, values[index] as number);
  }
  return (row) => (max > min ? ((values[row * width + axis] as number) - min) / (max - min) : 0.5);
}
