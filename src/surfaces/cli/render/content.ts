import type { z } from 'zod';
import { isDisabled } from '../../../core/failures/project-disabled.ts';
import type { addOperation, removeOperation } from '../../../operations/index/content.ts';
import type { Output } from '../terminal/output.ts';

/** What was added, and what it still lacks. */
export function renderAdd(result: z.output<typeof addOperation.output>, output: Output): void {
  const verb = result.replaced ? 'Replaced' : 'Added';
  if (isDisabled(result.warnings)) output.note('Nothing was added.');
  else output.result(`${verb} ${result.uri} (${result.bytes} bytes)`);
  for (const { message, remedy } of result.warnings) {
    output.note(`${output.styleNote('yellow', 'warning')} ${message}`);
    output.note(`  ${remedy}`);
  }
}

/** What was removed, and names that nothing has. */
export function renderRemove(result: z.output<typeof removeOperation.output>, output: Output): void {
  for (const uri of result.removed) output.result(`Removed ${uri}`);
  for (const uri of result.unknown) output.note(`No added content is named ${uri}.`);
  if (result.unknown.length > 0)
    output.note(
      'List it with: quarry status --files. Files are left out with index.exclude or .quarryignore.',
    );
}
