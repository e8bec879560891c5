import type { z } from 'zod';
import { counted } from '../../../core/text/counted.ts';
import type { exportOperation, importOperation } from '../../../operations/upkeep/hand-over.ts';
import type { Output } from '../terminal/output.ts';

/** What was written, and how others come to use it. */
export function renderExport(result: z.output<typeof exportOperation.output>, output: Output): void {
  const { file, bytes, documents, chunks, left, maker, seconds } = result;
  const size = `${counted(documents, 'document')}, ${counted(chunks, 'chunk')}, ${(bytes / 1e6).toFixed(1)} MB`;
  output.result(`${output.style('green', 'Written')} ${file}: ${size}, ${seconds.toFixed(1)} s`);
  if (left > 0)
    output.result(`${counted(left, 'document')} left out (added content, personal ones, or not up to date)`);
  output.result(`signed by ${maker}`);
  output.note(`Others take it over with: quarry trust give --maker ${maker} && quarry import FILE`);
}

/** What was taken over, and what was read. */
export function renderImport(result: z.output<typeof importOperation.output>, output: Output): void {
  const { taken, present, changed, absent, read, maker, seconds } = result;
  output.result(
    `${output.style('green', 'Taken over')} ${counted(taken, 'document')} made by ${maker}, ${seconds.toFixed(1)} s`,
  );
  output.result(
    `${present} there already, ${changed} differ here, ${absent} missing or left out here; ${counted(read, 'file')} read`,
  );
}
