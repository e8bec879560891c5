import type { z } from 'zod';
import type { receiptOperation } from '../../../operations/setup/receipt.ts';
import type { Output } from '../terminal/output.ts';

const titles = { mcp: 'agents over MCP', shell: 'programs and agents in a shell', terminal: 'at a terminal' };

/** What answers have cost, a line for each kind, and what the files that they name would have. */
export function renderReceipt(
  { counting, since, rows }: z.output<typeof receiptOperation.output>,
  output: Output,
): void {
  if (!counting) output.result('Answers are not counted. quarry receipt --count begins.');
  else if (rows.length === 0) output.result('No answer was counted yet.');
  if (rows.length === 0) return;
  output.result(`Since ${since}, in tokens (a quarter of the characters):`);
  for (const surface of Object.keys(titles) as (keyof typeof titles)[]) {
    const own = rows.filter((row) => row.surface === surface);
    if (own.length > 0) output.result(output.style('bold', titles[surface]));
    for (const { operation, calls, tokens_given, tokens_named } of own)
      output.result(
        `  ${operation.padEnd(10)} ${count(calls)} calls, ${count(tokens_given)} given; the files named have ${count(tokens_named)}`,
      );
  }
  output.result('Nobody reads every file whole that is named: what was saved is less than the difference.');
}

function count(number: number): string {
  return number.toLocaleString('en');
}
