import type { GraphLag } from './freshness.ts';
import type { ReadRow } from './graph.ts';
import type { GraphStamp } from './stamp.ts';

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
