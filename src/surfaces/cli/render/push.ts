import type { z } from 'zod';
import { counted } from '../../../core/text/counted.ts';
import type { pushOperation } from '../../../operations/index/push.ts';
import type { Output } from '../terminal/output.ts';
import type { ProgressRenderer } from '../terminal/progress.ts';
import { createWatchProgress } from './watch.ts';

/** Files that are listed; the others are only counted. */
const listedFiles = 10;

/** Shows a push as a watch is shown, and besides that what happens to its connection. */
export function createPushProgress(output: Output): ProgressRenderer {
  const { report, end } = createWatchProgress(output);
  return {
    end,
    report(event) {
      if (event.type === 'push-waiting') output.note('Another client sends to this project; waiting for it.');
      if (event.type === 'push-interrupted') {
        end();
        output.note(`${output.styleNote('yellow', 'warning')} ${event.error.message}`);
        output.note(`  Trying again in ${event.retrySeconds} s; what has arrived is not sent again.`);
      }
      report(event);
    },
  };
}

/** What a push came to. */
export function renderPush(result: z.output<typeof pushOperation.output>, output: Output): void {
  const { project, server, files, bytes, added, changed, removed, sent_files, sent_bytes } = result;
  output.result(
    `${output.style('bold', project)} at ${server} has ${counted(files, 'file')} (${size(bytes)})`,
  );
  output.result(`${added} added, ${changed} changed, ${removed} removed`);
  output.result(`${sent_files} contents sent (${size(sent_bytes)})`);
  if (result.redacted > 0) output.result(`${result.redacted} secrets blacked out before sending`);
  list('withheld', result.withheld, output);
  list('failed', result.failed, output);
  const { index } = result;
  if (index)
    output.result(
      `indexed there: ${counted(index.documents.indexed, 'file')}, ${counted(index.chunks.total, 'chunk')}, ${index.chunks.pending} pending`,
    );
}

function list(
  title: string,
  files: readonly { readonly path: string; readonly reason: string }[],
  output: Output,
): void {
  if (files.length === 0) return;
  output.result(`${files.length} ${title}:`);
  for (const { path, reason } of files.slice(0, listedFiles)) output.result(`  ${path}: ${reason}`);
}

function size(bytes: number): string {
  return bytes < 2 ** 20 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
