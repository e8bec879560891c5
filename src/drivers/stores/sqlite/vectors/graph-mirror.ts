import type { Connection } from '../file/connection.ts';
import type { GraphFile } from '../graph/file.ts';
import type { Graph } from '../graph/graph.ts';
import { type GraphLag, graphLag } from '../graph/lag.ts';
import { admittedEmbeddings, scanFile, scoreEmbeddings, scoreVectors } from './file-scan.ts';
import { type Neighbour, VectorMatrix } from './matrix.ts';
import type { VectorQuery } from './vector-query.ts';
import { lastVectorOf, readVectors } from './vector-rows.ts';
import type { Space } from './vectors.ts';

/** Candidates for each hit that is wanted, and at least: distances in the graph are rough, scores come from the file. */
const candidatesPerHit = 4;
const minCandidates = 256;
/** Asking a graph for more costs more than reading all that is admitted. */
const maxCandidates = 16_384;
const widening = 8;
/** Dead vectors are counted again after so many changes: counting walks through the whole space. */
const changesBetweenCounts = 256;

/** A graph and the vectors that have come since: both propose, and the file decides. */
export class GraphMirror {
  readonly graph: Graph;
  readonly file: GraphFile;
  readonly #connection: Connection;
  readonly #space: Space;
  /** Vectors that are newer than the graph, by their number in the file. */
  readonly #newer: VectorMatrix;
  #lastVector: number;
  #revision: number;
  #countedAt: number;
  #dead: number;

  constructor(connection: Connection, graph: Graph, file: GraphFile, revision: number) {
    this.#connection = connection;
    this.graph = graph;
    this.file = file;
    this.#space = { number: graph.stamp.space, dimensions: graph.stamp.dimensions };
    this.#newer = new VectorMatrix(graph.stamp.dimensions);
    this.#lastVector = graph.stamp.lastVector;
    this.#revision = revision;
    this.#countedAt = revision;
    this.#dead = this.#countDead();
    this.#addNewer();
  }

  /** Memory held, in bytes; the mapped graph counts in full, though the system keeps only what is used. */
  get bytes(): number {
    return this.graph.stamp.bytes + this.#newer.bytes;
  }

  /** How far the graph is behind the file. */
  get lag(): GraphLag {
    const { count, dimensions } = this.graph.stamp;
    return { count, dead: this.#dead, missingBytes: this.#newer.size * dimensions };
  }

  /** Adds what is new in the file. What has left it needs no notice: it is met when it is proposed. */
  follow(revision: number): void {
    if (revision === this.#revision) return;
    this.#addNewer();
    if (revision - this.#countedAt >= changesBetweenCounts) {
      this.#dead = this.#countDead();
      this.#countedAt = revision;
    }
    // Only now: what could not be followed is tried again.
    this.#revision = revision;
  }

  /** A filter that admits no more than `narrowChunks` is answered exactly. */
  nearest(query: VectorQuery, narrowChunks: number): Neighbour[] {
    const { limit } = query;
    const admitted = admittedEmbeddings(this.#connection, query, narrowChunks + 1);
    if (admitted && admitted.length <= narrowChunks)
      return scoreEmbeddings(this.#connection, this.#space, query, admitted);
    const first = Math.max(minCandidates, limit * candidatesPerHit);
    for (let count = first; count <= maxCandidates; count *= widening) {
      const found = scoreVectors(this.#connection, this.#space, query, this.#propose(query, count));
      // The farther half of what a graph proposes has gaps: a hit must not stand there.
      if (found.length >= limit * 2) return found.slice(0, limit);
    }
    return scanFile(this.#connection, this.#space, query);
  }

  #propose({ vector, quantised }: VectorQuery, count: number): number[] {
    const newer = this.#newer.nearest(quantised, count).map(({ embedding: number }) => number);
    return [...this.graph.propose(vector, count), ...newer];
  }

  #countDead(): number {
    return graphLag(this.graph.stamp, (sql, ...parameters) => this.#connection.get(sql, ...parameters)).dead;
  }

  #addNewer(): void {
    for (const vector of readVectors(this.#connection, this.#space, this.#lastVector)) {
      this.#newer.set(vector.number, vector);
      this.#lastVector = vector.number;
    }
    // Never below what the graph has looked at, though that may be gone from the file.
    this.#lastVector = Math.max(this.#lastVector, lastVectorOf(this.#connection));
  }
}
