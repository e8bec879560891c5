import type { z } from 'zod';
import type { readOperation } from '../../../operations/find/read.ts';
import type { Output } from '../terminal/output.ts';

/** The citation, and below it the text as it stands. */
export function renderRead(result: z.output<typeof readOperation.output>, output: Output): void {
  for (const { message, remedy } of result.warnings)
    output.note(`${output.styleNote('yellow', 'warning')} ${message} ${remedy}`);
  output.note(output.styleNote('bold', result.citation));
  output.result(result.text);
  if (result.is_cut) output.note(restOf(result));
  for (const { citation, signature } of result.others) output.note(`also ${citation}  ${signature}`);
}

function restOf({ path, next, total_lines: total }: z.output<typeof readOperation.output>): string {
  const further = next === undefined ? 'raise --max-tokens' : `quarry read ${path}:${next}`;
  return `The rest, up to line ${total}: ${further}`;
}
