import type { z } from 'zod';
import type { memoryOperation } from '../../../operations/find/memory.ts';
import type { Output } from '../terminal/output.ts';

/** The block on standard output, ready to be put into a prompt. */
export function renderMemory(result: z.output<typeof memoryOperation.output>, output: Output): void {
  for (const { message, remedy } of result.warnings)
    output.note(`${output.styleNote('yellow', 'warning')} ${message} ${remedy}`);
  if (result.warnings.some(({ code }) => code === 'project-disabled')) return;
  if (result.block === '') output.note('Nothing in memory is relevant enough (--min-relevance).');
  else output.result(result.block);
}
