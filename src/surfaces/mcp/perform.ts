import type { QuarryEvent } from '../../core/events.ts';
import { type Progress, progressOf } from '../../core/progress.ts';
import type { ToolContext } from './tool.ts';

/** Performs an operation on the project of a call, and reports its progress. */
export async function perform(
  context: Pick<ToolContext, 'host' | 'signal' | 'report' | 'project'>,
  operation: string,
  input: object,
  signal: AbortSignal = context.signal,
): Promise<unknown> {
  let progress: Progress | undefined;
  return context.host.call(await context.project(), operation, input, {
    signal,
    onEvent(event) {
      // As data, its errors have the same fields; progress reads nothing else.
      progress = progressOf(event as QuarryEvent, progress);
      if (progress) context.report(progress);
    },
  });
}
