import type { z } from 'zod';
import { counted } from '../../../core/text/counted.ts';
import type { overviewOperation } from '../../../operations/index/overview.ts';
import { localTime } from '../terminal/local-time.ts';
import type { Output } from '../terminal/output.ts';

/** Counts, freshness, the largest topics and what changed last. */
export function renderOverview(result: z.output<typeof overviewOperation.output>, output: Output): void {
  if (result.disabled) {
    output.result(`${result.disabled.message} ${result.disabled.remedy}`);
    return;
  }
  const types = Object.entries(result.types).map(([type, count]) => `${count} ${type}`);
  output.result(`documents  ${result.documents}${types.length > 0 ? ` (${types.join(', ')})` : ''}`);
  output.result(`chunks     ${result.chunks}, ${result.pending} pending`);
  output.result(`last sync  ${result.synced_at ? localTime(result.synced_at) : 'never'}`);
  if (result.changes) {
    const { added, changed, deleted } = result.changes;
    output.result(`behind by  ${added} added, ${changed} changed, ${deleted} deleted`);
  }
  renderCorpus(result, output);
}

/** What it is about, where that was asked, the largest topics and what changed last. */
export function renderCorpus(
  result: Pick<z.output<typeof overviewOperation.output>, 'summary' | 'recent' | 'topics'>,
  output: Output,
): void {
  renderSummary(result, output);
  if (result.topics.length > 0) output.result(output.style('bold', 'Largest topics'));
  for (const { folder, documents, chunks, words } of result.topics)
    output.result(
      `  ${folder}  ${counted(documents, 'document')}, ${counted(chunks, 'chunk')}: ${words.join(', ')}`,
    );
  if (result.recent.length > 0) output.result(output.style('bold', 'Changed last'));
  for (const { path, modified_at } of result.recent) output.result(`  ${localTime(modified_at)}  ${path}`);
}

/** The answer and its sources, indented: no line of it can pass for one of ours. */
function renderSummary(
  { summary }: Pick<z.output<typeof overviewOperation.output>, 'summary'>,
  output: Output,
): void {
  if (!summary) return;
  output.result(output.style('bold', 'About'));
  for (const line of summary.answer.split('\n')) output.result(`  ${line}`);
  for (const { number, citation } of summary.sources) output.result(`  [${number}] ${citation}`);
}
