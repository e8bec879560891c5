import type { z } from 'zod';
import { counted } from '../../../core/text/counted.ts';
import type { storeMigrateOperation } from '../../../operations/upkeep/store.ts';
import type { Output } from '../terminal/output.ts';

/** What was copied, how far both stores agree, and how the other one is used. */
export function renderMigration(result: z.output<typeof storeMigrateOperation.output>, output: Output): void {
  const { from, to, documents, chunks, copied, present, removed, questions } = result;
  const size = `${counted(documents, 'document')}, ${counted(chunks, 'chunk')}, ${result.seconds.toFixed(1)} s`;
  output.result(`${output.style('green', 'Copied')} from ${from} to ${to}: ${size}`);
  output.result(`${copied} copied now, ${present} there already, ${removed} removed there`);
  for (const { space, embedded } of result.spaces)
    output.result(`${counted(embedded, 'chunk')} with vectors of ${space}`);
  const agreements = [
    agreement('by vectors', result.vector_agreement),
    agreement('by words', result.text_agreement),
  ].filter((text) => text !== undefined);
  if (agreements.length > 0)
    output.result(`the same ten best for ${counted(questions, 'question')}: ${agreements.join(', ')}`);
  if (result.switched) output.result(`quarry.toml uses the store "${to}" from now on.`);
  else output.note('The index in use is the same as before. To use the copy:');
  for (const command of result.next) output.note(`  ${command}`);
}

function agreement(how: string, share: number | undefined): string | undefined {
  return share === undefined ? undefined : `${Math.round(share * 100)} % ${how}`;
}
