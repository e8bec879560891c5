import type { z } from 'zod';
import type { cacheOperation } from '../../../operations/cache.ts';
import { harmless, harmlessLine, type Output } from '../output.ts';

type Result = z.output<typeof cacheOperation.output>;

/** What the shared vectors are, or what became of them. */
export function renderCache(result: Result, output: Output): void {
  if (result.action === 'stats') renderStats(result, output);
  else if (result.action === 'export') {
    const size = mebibytes(result.bytes);
    output.result(`${result.entries} vectors exported to ${harmlessLine(result.file)} (${size})`);
  } else if (result.action === 'import') {
    output.result(`${result.added} vectors added, ${result.known} known, ${result.left_out} left out`);
  } else {
    output.result(`${result.entries} vectors removed`);
  }
}

function renderStats(stats: Extract<Result, { action: 'stats' }>, output: Output): void {
  const lookups = stats.hits + stats.misses;
  const share = lookups > 0 ? ` (${Math.round((100 * stats.hits) / lookups)} %)` : '';
  const limit = stats.limit > 0 ? `of ${mebibytes(stats.limit)}` : '(turned off)';
  output.result(`${output.style('bold', `${stats.entries} vectors`)} in ${harmlessLine(stats.file)}`);
  output.result(`on disk     ${mebibytes(stats.bytes)} ${limit}`);
  output.result(`found       ${stats.hits} of ${lookups} lookups${share}`);
  output.result(`damaged     ${stats.damaged}`);
  output.result(`oldest use  ${stats.oldest_use ?? 'never'}`);
  for (const { name, dimensions, entries } of stats.spaces) {
    output.result(`${String(entries).padStart(10)}  ${harmlessLine(name)}, ${dimensions} dimensions`);
  }
  if (stats.warning) output.note(output.styleNote('yellow', harmless(stats.warning)));
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
