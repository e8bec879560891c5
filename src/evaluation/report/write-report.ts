import { join } from 'node:path';
import type { Evaluation } from '../evaluation-result.ts';
import { writeWhole } from '../saved-evaluation.ts';
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
