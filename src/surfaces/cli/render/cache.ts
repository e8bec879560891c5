import type { z } from 'zod';
import { counted } from '../../../core/text/counted.ts';
import type {
  cacheClearOperation,
  cacheExportOperation,
  cacheImportOperation,
  cacheStatsOperation,
} from '../../../operations/upkeep/cache.ts';
import { localTime } from '../terminal/local-time.ts';
import type { Output } from '../terminal/output.ts';

/** Size, use and vector spaces of the shared cache. */
export function renderCacheStats(stats: z.output<typeof cacheStatsOperation.output>, output: Output): void {
  const lookups = stats.hits + stats.misses;
  const share = lookups > 0 ? ` (${Math.round((100 * stats.hits) / lookups)} %)` : '';
  const limit = stats.limit > 0 ? `of ${mebibytes(stats.limit)}` : '(turned off)';
  output.result(`${output.style('bold', counted(stats.entries, 'vector'))} in ${stats.file}`);
  output.result(`on disk     ${mebibytes(stats.bytes)} ${limit}`);
  output.result(`found       ${stats.hits} of ${counted(lookups, 'lookup')}${share}`);
  output.result(`damaged     ${stats.damaged}`);
  output.result(`oldest use  ${stats.oldest_use ? localTime(stats.oldest_use) : 'never'}`);
  for (const { name, dimensions, entries } of stats.spaces) {
    output.result(`${String(entries).padStart(10)}  ${name}, ${dimensions} dimensions`);
  }
  if (stats.warning) output.note(output.styleNote('yellow', stats.warning));
}

/** What was written, and where. */
export function renderCacheExport(
  { entries, file, bytes }: z.output<typeof cacheExportOperation.output>,
  output: Output,
): void {
  output.result(`${counted(entries, 'vector')} exported to ${file} (${mebibytes(bytes)})`);
}

/** How many vectors were added, and how many were not. */
export function renderCacheImport(
  { added, known, left_out }: z.output<typeof cacheImportOperation.output>,
  output: Output,
): void {
  output.result(`${counted(added, 'vector')} added, ${known} known, ${left_out} left out`);
}

/** How many vectors were removed. */
export function renderCacheClear(
  { entries }: z.output<typeof cacheClearOperation.output>,
  output: Output,
): void {
  output.result(`${counted(entries, 'vector')} removed`);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
