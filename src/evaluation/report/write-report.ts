import { dirname, join } from 'node:path';
import { messageOf, QuarryError } from '../../core/errors.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { writeDurably } from '../../platform/write-durably.ts';
import type { Evaluation } from '../evaluation-result.ts';
import { standaloneSvg } from './drawing.ts';
import { htmlReport } from './html-report.ts';
import { chartFile, markdownReport } from './markdown-report.ts';
import { reportBlocks } from './report-blocks.ts';

/** Writes report.html, report.md and the pictures that the latter shows; returns the paths of both reports. */
export async function writeReport(folder: string, evaluation: Evaluation): Promise<string[]> {
  const blocks = reportBlocks(evaluation);
  const reports = [
    [join(folder, 'report.md'), markdownReport(blocks)],
    [join(folder, 'report.html'), htmlReport(blocks)],
  ] as const;
  for (const [file, content] of reports) await writeWhole(file, content);
  for (const block of blocks)
    if (block.kind === 'chart')
      await writeWhole(join(folder, chartFile(block.name)), `${standaloneSvg(block.drawing)}\n`);
  return reports.map(([file]) => file);
}

/** Writes a file that a reader sees whole or not at all, and the folders above it. */
export async function writeWhole(file: string, content: string): Promise<void> {
  try {
    await makeFolder(dirname(file));
    await writeDurably(file, content);
  } catch (cause) {
    throw new QuarryError(
      'file-unreadable',
      `The file ${file} cannot be written: ${messageOf(cause)}.`,
      'Name a place that may be written.',
      { cause },
    );
  }
}
