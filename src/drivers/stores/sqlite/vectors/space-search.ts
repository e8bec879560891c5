import { availableParallelism } from 'node:os';
import type { SearchPreparation } from '../../../../contracts/store.ts';
import { interrupted, QuarryError } from '../../../../core/errors.ts';
import { type Clock, systemClock } from '../../../../platform/clock.ts';
import type { Connection } from '../file/connection.ts';
import { inMemory } from '../file/open-database.ts';
import { GraphBuilder } from '../graph/builder.ts';
import { type GraphFile, listGraphFiles, removeGraphFile, removeLeftovers } from '../graph/file.ts';
import { type Graph, openGraph, type ReadRow, reachedVector } from '../graph/graph.ts';
import { graphLag, isStale } from '../graph/lag.ts';
import { loadUsearch, type MakeIndex } from '../graph/load-usearch.ts';
import { countVectors, ExactMirror } from './exact-mirror.ts';
import { scanFile } from './file-scan.ts';
import { GraphMirror } from './graph-mirror.ts';
import type { Neighbour } from './matrix.ts';
import type { VectorQuery } from './vector-query.ts';
import { exactBytes, type Space } from './vectors.ts';

/** Where one way of searching ends and the next begins; sizes are bytes of vectors, one for each dimension. */
export interface SearchLimits {
  /** Up to here every vector is looked at. */
  readonly exactBytes: number;
  /** While there is no graph, up to here the vectors are kept in memory; beyond, they are read for each search. */
  readonly memoryBytes: number;
  /** What making a graph may take. */
  readonly graphBytes: number;
  /** A filter that admits no more chunks than this is answered by reading their vectors, even where there is a graph. */
  readonly narrowChunks: number;
  /** Threads that make a graph. */
  readonly threads: number;
}

/**
 * Looking at 128 MiB (350,000 vectors of 384 dimensions) takes 20 to 30 ms on one core of a Xeon. A graph takes a few at
 * any size, but minutes to make and 1.4 times the disk of the vectors: below that it is not worth it. Reading
 * 10,000 vectors from the file takes 50 to 100 ms; a graph that must propose a hundred for one that is admitted takes
 * longer.
 */
export function defaultLimits(
  memoryBytes: number = Number.POSITIVE_INFINITY,
  threads: number = availableParallelism(),
): SearchLimits {
  const availableMemory = Math.min(memoryBytes, process.availableMemory());
  return {
    exactBytes,
    memoryBytes: Math.min(2 ** 30, availableMemory / 2),
    graphBytes: availableMemory / 2,
    narrowChunks: 10_000,
    // Half of what may be used: searches and indexing continue meanwhile.
    threads: Math.max(1, threads >> 1),
  };
}

/** What a vector takes in a graph besides its components, about: edges, key, and room to grow. */
const bytesForNode = 256;
/** Vectors newer than the graph are looked at one by one, until they are this part of what exact search may take. */
const newerPart = 1 / 4;
/** Milliseconds before a graph that could not be read is tried again: reading it through takes a while. */
const restOfUnavailable = 60_000;
/** A space that shrinks gives up its graph only well below the size at which it got it. */
const smallerPart = 0.8;

/** Nearest embeddings of one space, by whichever way suits its size. All ways give the same scores. */
export class SpaceSearch {
  readonly space: Space;
  readonly #connection: Connection;
  readonly #limits: SearchLimits;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #builder: GraphBuilder;
  /** Graph files that are not tried before this time; wrong ones never again. */
  readonly #refusedUntil = new Map<string, number>();
  readonly #read: ReadRow = (sql, ...parameters) => this.#connection.get(sql, ...parameters);
  #makeIndex: MakeIndex | undefined | 'unknown' = 'unknown';
  #exact: ExactMirror | undefined;
  #graph: GraphMirror | undefined;
  #count = 0;
  #revision: number | undefined;
  #searches = 0;
  #reportedFailure: string | undefined;

  constructor(
    connection: Connection,
    space: Space,
    limits: SearchLimits,
    clock: Pick<Clock, 'now'> = systemClock,
  ) {
    this.#clock = clock;
    this.#builder = new GraphBuilder(clock);
    this.#connection = connection;
    this.space = space;
    this.#limits = limits;
  }

  /** Memory held for this space, in bytes; a mapped graph counts in full. */
  get bytes(): number {
    return (this.#exact?.bytes ?? 0) + (this.#graph?.bytes ?? 0);
  }

  /** Which way answers now. */
  get way(): 'exact' | 'graph' | 'file' {
    if (this.#graph) return 'graph';
    return this.#exact ? 'exact' : 'file';
  }

  /** Must run inside a read transaction that sees this revision of the file. */
  nearest(query: VectorQuery, revision: number): Neighbour[] {
    this.#searches += 1;
    this.#follow(revision);
    if (this.#isLarge()) this.#improveGraph(revision);
    if (this.#graph) return this.#graph.nearest(query, this.#limits.narrowChunks);
    if (this.#count * this.space.dimensions > this.#limits.memoryBytes) {
      this.#exact = undefined;
      return scanFile(this.#connection, this.space, query);
    }
    this.#exact ??= new ExactMirror(this.#connection, this.space);
    return this.#exact.nearest(query);
  }

  /** Makes a graph, or brings it up to date, where the size calls for one; reports how many vectors it has by now. */
  async *prepare(signal?: AbortSignal): AsyncGenerator<SearchPreparation> {
    const wanted = await this.#connection.read(() => this.#wantsGraph());
    if (!wanted) return removeLeftovers(this.#connection.path);
    this.#build();
    const stop = () => void this.#builder.close();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      if (signal?.aborted) stop();
      for await (const done of this.#builder.follow())
        yield { done: Math.min(done, this.#count), total: this.#count };
      if (signal?.aborted) throw interrupted(signal.reason);
      const { failure } = this.#builder;
      // Reported once: no other attempt is made, and a watch comes here with every change.
      if (failure === undefined || failure === this.#reportedFailure) return;
      this.#reportedFailure = failure;
      throw unprepared(this.#connection.path, failure);
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Resolves when no graph is being made. */
  settled(): Promise<void> {
    return this.#builder.settled();
  }

  async close(): Promise<void> {
    this.#exact = undefined;
    this.#graph = undefined;
    await this.#builder.close();
  }

  #follow(revision: number): void {
    if (revision === this.#revision) return;
    this.#graph?.follow(revision);
    this.#exact?.follow();
    if (this.#graph) {
      const { count, dead, missingBytes } = this.#graph.lag;
      this.#count = count - dead + missingBytes / this.space.dimensions;
    } else {
      this.#count = this.#exact?.count ?? countVectors(this.#connection, this.space);
    }
    // Only now: what could not be followed is tried again.
    this.#revision = revision;
  }

  #isLarge(): boolean {
    const bytes = this.#count * this.space.dimensions;
    if (bytes > this.#limits.exactBytes) return true;
    if (bytes < this.#limits.exactBytes * smallerPart) this.#graph = undefined;
    return this.#graph !== undefined;
  }

  /** Takes up a newer graph where the one in use is none or stale, and sees to it that there will be one. */
  #improveGraph(revision: number): void {
    if (this.#connection.path === inMemory || !this.#library()) return;
    if (this.#graph && !isStale(this.#graph.lag, this.#missingBytes())) return;
    if (this.#adopt(revision)) return;
    // A process that searches once is likely to end before a graph is made.
    if (this.#searches > 1) this.#build();
  }

  /** Takes up the newest graph file that is sound and not in use yet; removes those that are wrong. */
  #adopt(revision: number): boolean {
    const own = this.#builder.take();
    const reached = reachedVector(this.#read);
    for (const file of this.#graphFiles()) {
      const isOwn = file.path === own?.path;
      // Beyond what this state of the file has reached: most likely of a newer state, and good.
      if (file.lastVector > reached) continue;
      // Newest first: what follows the one in use is older.
      if (!isOwn && file.path === this.#graph?.file.path) break;
      if (!isOwn && this.#isRefused(file)) continue;
      const graph = this.#open(file, isOwn);
      if (!graph) continue;
      this.#graph = new GraphMirror(this.#connection, graph, file, revision);
      this.#exact = undefined;
      return true;
    }
    if (own && own.lastVector <= reached) this.#builder.giveUp(`the graph ${own.path} cannot be used`);
    return false;
  }

  #open(file: GraphFile, isTrusted: boolean): Graph | undefined {
    const makeIndex = this.#library();
    if (!makeIndex) return undefined;
    const opening = openGraph(file, this.#read, makeIndex, this.#connection.proof, { isTrusted });
    if (opening !== 'wrong' && 'unavailable' in opening) {
      this.#refusedUntil.set(file.path, this.#clock.now() + restOfUnavailable);
      return undefined;
    }
    if (opening !== 'wrong' && opening.graph.stamp.dimensions === this.space.dimensions) return opening.graph;
    this.#refusedUntil.set(file.path, Number.POSITIVE_INFINITY);
    removeGraphFile(file.path);
    return undefined;
  }

  #isRefused({ path }: GraphFile): boolean {
    return this.#clock.now() < (this.#refusedUntil.get(path) ?? 0);
  }

  /** The graph files of this space, newest first; none where the folder cannot be read at the moment. */
  #graphFiles(): GraphFile[] {
    try {
      return listGraphFiles(this.#connection.path).filter(({ space }) => space === this.space.number);
    } catch {
      // Vectors are compared one by one meanwhile.
      return [];
    }
  }

  /** Whether there should be a graph and none that is good enough is there, as far as the names of files show. */
  #wantsGraph(): boolean {
    this.#count = countVectors(this.#connection, this.space);
    if (this.#count * this.space.dimensions <= this.#limits.exactBytes || !this.#canBuild()) return false;
    const reached = reachedVector(this.#read);
    const newest = this.#graphFiles().find(({ lastVector }) => lastVector <= reached);
    const { dimensions } = this.space;
    return !newest || isStale(graphLag({ ...newest, dimensions }, this.#read), this.#missingBytes());
  }

  #canBuild(): boolean {
    if (this.#connection.path === inMemory || !this.#library()) return false;
    return this.#count * (this.space.dimensions + bytesForNode) <= this.#limits.graphBytes;
  }

  #build(): void {
    if (!this.#canBuild()) return;
    this.#builder.start({
      database: this.#connection.path,
      space: this.space.number,
      dimensions: this.space.dimensions,
      missingBytes: this.#missingBytes(),
      threads: this.#limits.threads,
      key: this.#connection.key,
    });
  }

  #missingBytes(): number {
    return this.#limits.exactBytes * newerPart;
  }

  #library(): MakeIndex | undefined {
    if (this.#makeIndex === 'unknown') this.#makeIndex = loadUsearch();
    return this.#makeIndex;
  }
}

function unprepared(path: string, failure: string): QuarryError {
  return new QuarryError(
    'store-unusable',
    `The graph that speeds up searches of ${path} could not be made: ${failure}.`,
    'Check that there is free memory and disk space, then run: quarry index',
  );
}
