import type { z } from 'zod';
import { shownLine } from '../../../core/text/shown-text.ts';
import type { installOperation } from '../../../operations/setup/install.ts';
import type { Output } from '../terminal/output.ts';

const words = {
  added: 'added to',
  changed: 'changed in',
  unchanged: 'already in',
  removed: 'removed from',
  absent: 'not in',
  shared: 'kept for another agent in',
  kept: 'changed by somebody else, kept:',
  failed: 'failed, left as it is:',
} as const;

/** What was written or taken out, a line a file. */
export function renderInstall(result: z.output<typeof installOperation.output>, output: Output): void {
  let last = '';
  for (const { agent, part, file, change, text, error } of result.results) {
    if (agent !== last) output.result(output.style('bold', agent));
    last = agent;
    const would = result.dry_run && text !== undefined ? 'would be ' : '';
    output.result(`  ${part}: ${would}${words[change]} ${file}`);
    if (error !== undefined) output.note(shownLine(error));
    if (text !== undefined) output.result(text);
  }
  if (result.results.length === 0) output.result('Nothing of Quarry is set up here.');
  if (!result.dry_run && result.results.some(({ change }) => change === 'added' || change === 'changed'))
    output.note(
      'Start the program again, or reload its MCP servers. quarry doctor tries them; quarry uninstall takes all of it out.',
    );
}
