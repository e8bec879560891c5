import type { z } from 'zod';
import { isDisabled } from '../../../core/failures/project-disabled.ts';
import type { contextOperation } from '../../../operations/find/context.ts';
import type { Output } from '../terminal/output.ts';

/** The block on standard output, ready to be piped; what is missing in it as notes. */
export function renderContext(result: z.output<typeof contextOperation.output>, output: Output): void {
  for (const { message, remedy } of result.warnings)
    output.note(`${output.styleNote('yellow', 'warning')} ${message} ${remedy}`);
  if (result.text !== '') output.result(result.text);
  else if (result.left > 0) output.note('Nothing fits into so few tokens (--max-tokens).');
  else if (!isDisabled(result.warnings))
    output.note('Nothing in this project passes the threshold. Try other words, or --threshold 0.');
  if (result.text !== '' && result.left > 0)
    output.note(`${result.left} of ${result.left + result.sources.length} texts did not fit (--max-tokens).`);
}
