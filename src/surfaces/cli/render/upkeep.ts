import type { z } from 'zod';
import { counted } from '../../../core/text/counted.ts';
import type { manifestOperation } from '../../../operations/index/manifest.ts';
import type { initOperation } from '../../../operations/setup/init.ts';
import type { cleanOperation } from '../../../operations/upkeep/clean.ts';
import type { repairOperation } from '../../../operations/upkeep/repair.ts';
import type { verifyOperation } from '../../../operations/upkeep/verify.ts';
import type { Output } from '../terminal/output.ts';

/** Defects that are listed; JSON has more. */
const listed = 20;

type Defect = z.output<typeof verifyOperation.output>['defects'][number];

/** Whether the index is sound, and what is wrong with it. */
export function renderVerify(result: z.output<typeof verifyOperation.output>, output: Output): void {
  const size = `${counted(result.documents, 'document')}, ${counted(result.chunks, 'chunk')}, ${result.seconds.toFixed(1)} s`;
  if (result.sound) {
    output.result(`${output.style('green', 'Sound')}: ${size}`);
    return;
  }
  output.result(`${output.style('red', counted(result.defect_count, 'defect'))}: ${size}`);
  list(result.defects, output);
  output.note('Run: quarry repair');
}

/** What was repaired and what was read again. */
export function renderRepair(result: z.output<typeof repairOperation.output>, output: Output): void {
  if (result.rebuilt) output.result('The index could not be repaired; it was rebuilt from the files.');
  output.result(
    `${counted(result.mended.length, 'defect')} repaired, ${counted(result.read_again.length, 'document')} read again`,
  );
  list(result.mended, output);
  const restored = result.restored.length;
  if (restored > 0)
    output.result(`${counted(restored, 'document')} of added content restored from kept files`);
  if (result.lost.length === 0) return;
  output.result(output.style('red', `Damaged: ${counted(result.lost.length, 'document')} of added content`));
  list(result.lost, output);
  output.note('Add them again under their names, or give them up with: quarry remove');
}

/** What was removed. */
export function renderClean(result: z.output<typeof cleanOperation.output>, output: Output): void {
  if (result.removed.length === 0) output.result('Nothing to remove.');
  else output.result(`Removed ${result.removed.join(', ')} (${(result.bytes / 2 ** 20).toFixed(1)} MiB)`);
  if (result.kept > 0)
    output.result(
      `Kept ${counted(result.kept, 'document')} of added content (remove it by name: quarry remove)`,
    );
  if (result.left) output.note(`Left in .quarry, since Quarry did not make it: ${result.left.join(', ')}`);
}

/** One line for each path, and one for each of its chunks where they were asked for. */
export function renderManifest(result: z.output<typeof manifestOperation.output>, output: Output): void {
  for (const { path, status, bytes, chunk_count, sha256, reason, chunks = [] } of result.entries) {
    const facts =
      status === 'indexed' ? `${counted(bytes, 'byte')}, ${counted(chunk_count, 'chunk')}` : (reason ?? '');
    output.result(`${status.padEnd(7)} ${(sha256 ?? '').slice(0, 12).padEnd(12)} ${path}  ${facts}`);
    for (const id of chunks) output.result(`        ${id}`);
  }
}

function list(defects: readonly Defect[], output: Output): void {
  for (const { kind, path, detail } of defects.slice(0, listed)) {
    const place = path === undefined ? '' : ` ${path}:`;
    output.result(`${output.style('yellow', kind)}${place} ${detail}`);
  }
  if (defects.length > listed) output.result(`${defects.length - listed} more (list: --json)`);
}

/** The file that was written, and what to do next. */
export function renderInit({ file, preset }: z.output<typeof initOperation.output>, output: Output): void {
  output.result(`Wrote ${file}${preset ? ` with the preset "${preset}"` : ''}.`);
  output.note('Edit it, then run: quarry index');
}
