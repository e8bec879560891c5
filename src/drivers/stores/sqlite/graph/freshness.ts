/** How far a graph is behind its file. */
export interface GraphLag {
  /** Vectors in the graph, dead ones included. */
  readonly count: number;
  /** Vectors in the graph that the file no longer has. */
  readonly dead: number;
  /** Bytes of the vectors that the file has and the graph has not. */
  readonly missingBytes: number;
}

/** Dead vectors are met and dropped in every search; past this share it is better to begin anew. */
const mostDead = 0.2;

/** Whether so much of the graph is dead that it should be made anew instead of added to. */
export function isWornOut({ count, dead }: GraphLag): boolean {
  return dead > count * mostDead;
}

/** Whether a newer graph should be made; what it lacks is searched exactly meanwhile, within `missingBytes`. */
export function isStale(lag: GraphLag, missingBytes: number): boolean {
  return isWornOut(lag) || lag.missingBytes > missingBytes;
}
