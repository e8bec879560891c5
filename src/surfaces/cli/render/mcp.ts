import type { z } from 'zod';
import type { mcpInstallCommand } from '../../mcp/install/command.ts';
import type { Output } from '../terminal/output.ts';

const words = {
  added: 'added to',
  changed: 'changed in',
  unchanged: 'already in',
  removed: 'removed from',
  absent: 'not in',
} as const;

/** What was written, a line a client. */
export function renderInstall(result: z.output<typeof mcpInstallCommand.output>, output: Output): void {
  for (const { client, file, change, backup, text } of result.results) {
    const would = result.dry_run && text !== undefined ? 'would be ' : '';
    output.result(`${output.style('bold', client)}  ${would}${words[change]} ${file}`);
    if (text !== undefined) output.result(text);
    if (backup !== undefined) output.note(`The file as it was: ${backup}`);
  }
  if (!result.dry_run && result.results.some(({ change }) => change === 'added' || change === 'changed'))
    output.note('Start the program again, or reload its MCP servers.');
}
