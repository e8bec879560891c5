import type { ReadRow } from './graph.ts';
import type { GraphStamp } from './stamp.ts';

/** How far a graph is behind its file. */
export interface GraphLag {
  /** Vectors in the graph, dead ones included. */
  readonly count: number;
  /** Vectors in the graph that the file no longer has. */
  readonly dead: number;
  /** Bytes of the vectors that the file has and the graph has not. */
  readonly missingBytes: number;
}

/** Dead vectors are met and dropped in every search; past this share it is better to rebuild. */
const maxDead = 0.2;

/** Whether so much of the graph is dead that it should be rebuilt instead of added to. */
export function isWornOut({ count, dead }: GraphLag): boolean {
  return dead > count * maxDead;
}

/** Whether a newer graph should be made; what it lacks is searched exactly meanwhile, within `missingBytes`. */
export function isStale(lag: GraphLag, missingBytes: number): boolean {
  return isWornOut(lag) || lag.missingBytes > missingBytes;
}

/** Compares a graph with the file it was made from, by walking through the space's index. */
export function graphLag(
  { space, dimensions, count, lastVector }: Pick<GraphStamp, 'space' | 'dimensions' | 'count' | 'lastVector'>,
  read: ReadRow,
): GraphLag {
  const row = read(
    'SELECT count(*) AS live, coalesce(sum(number > ?), 0) AS missing FROM vectors WHERE space = ?',
    lastVector,
    space,
  );
  const missing = Number(row?.missing);
  return { count, dead: count - (Number(row?.live) - missing), missingBytes: missing * dimensions };
}
