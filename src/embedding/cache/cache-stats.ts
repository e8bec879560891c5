import type { VectorCacheStats } from '../../contracts/vector-cache.ts';
import type { CacheFile } from './cache-file.ts';

/** Counts what the file holds. */
export function readStats(file: CacheFile): Omit<VectorCacheStats, 'file' | 'limit'> {
  const spaces = file
    .statement(
      `SELECT fingerprint, dimensions, count(vectors.space) AS entries
       FROM spaces LEFT JOIN vectors ON vectors.space = spaces.number
       GROUP BY spaces.number ORDER BY fingerprint`,
    )
    .all()
    .map((row) => ({
      name: String(row.fingerprint),
      dimensions: Number(row.dimensions),
      entries: Number(row.entries),
    }));
  const oldest = file.statement('SELECT min(used) AS hour FROM vectors').get()?.hour;
  const tally = file.statement('SELECT hits, misses, damaged FROM tally').get();
  return {
    entries: spaces.reduce((sum, space) => sum + space.entries, 0),
    bytes: file.sizes().file,
    spaces: spaces.filter(({ entries }) => entries > 0),
    ...(typeof oldest === 'number' && { oldestUse: oldest * 3_600_000 }),
    hits: Number(tally?.hits ?? 0),
    misses: Number(tally?.misses ?? 0),
    damaged: Number(tally?.damaged ?? 0),
  };
}

/** Removes all vectors, spaces and counts; returns how many vectors there were. */
export function clearAll(file: CacheFile): number {
  const removed = Number(file.statement('SELECT count(*) AS count FROM vectors').get()?.count);
  file.statement('DELETE FROM vectors').run();
  file.statement('DELETE FROM spaces').run();
  file.statement('UPDATE tally SET hits = 0, misses = 0, damaged = 0').run();
  return removed;
}
