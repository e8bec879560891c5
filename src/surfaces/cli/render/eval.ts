import type { z } from 'zod';
import { type evalOperation, floorSentence, reportBlocks } from '../../../operations/evaluation/eval.ts';
import type { Output } from '../terminal/output.ts';
import { renderBlocks } from './blocks.ts';

type Result = z.output<typeof evalOperation.output>;

/** What a report says, and where it is kept. */
export function renderEvaluation(result: Result, output: Output): void {
  renderBlocks(reportBlocks(result), output);
  for (const file of result.files) output.note(`Written: ${file}`);
  if (result.report !== undefined)
    output.note(`Kept as ${result.report}; compare it with earlier ones: quarry report compare`);
}

/** Notes the floors that were not reached, when the result is written as JSON. */
export function warnOfFloors({ floors }: Result, output: Output): void {
  for (const floor of floors.filter(({ reached }) => !reached))
    output.note(`${output.styleNote('red', 'quarry:')} ${floorSentence(floor)}`);
}
