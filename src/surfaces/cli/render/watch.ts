import type { z } from 'zod';
import type { QuarryError } from '../../../core/errors.ts';
import type { IndexSummary, WatchEvent } from '../../../core/events.ts';
import type { watchOperation } from '../../../operations/watch.ts';
import { harmless, harmlessLine, type Output } from '../output.ts';
import { createProgress, type Progress } from '../progress.ts';

/** A pass over fewer files than this is done before a bar could be read. */
const filesWorthABar = 20;

/** Shows a watch: a bar while much is indexed, one line for each pass that changed the index, a warning only once. */
export function createWatchProgress(output: Output): Progress {
  const bar = createProgress(output);
  const told = new Set<string>();
  let showsBar = true;
  let changed: string[] = [];
  const isNews = (what: string): boolean => !told.has(what) && told.add(what).has(what);

  const warn = (error: QuarryError): void => {
    bar.end();
    if (!isNews(error.message)) return;
    output.note(`${output.styleNote('yellow', 'warning')} ${harmless(error.message)}`);
    output.note(`  ${harmless(error.remedy)}`);
  };
  const endPass = (pass: number, summary: IndexSummary): void => {
    bar.end();
    if (changed.length > 0) output.note(`${timeOfDay()}  ${passLine(changed, summary)}`);
    if (pass === 1) output.note(`Up to date with ${summary.chunks.total} chunks. Ctrl-C stops.`);
    changed = [];
  };

  return {
    end: () => bar.end(),
    tell(event) {
      switch (event.type) {
        case 'watch-start':
          output.note(`Watching ${harmlessLine(event.folder)}`);
          break;
        case 'watch-degraded':
          if (isNews(event.reason)) for (const line of degradedLines(event)) output.note(line);
          break;
        case 'settings-changed':
          output.note(`Settings have changed: ${event.files.map(harmlessLine).join(', ')}`);
          break;
        case 'settings-refused':
        case 'pass-failed':
          warn(event.error);
          break;
        case 'pass-end':
          // What has worked again is worth a warning when it fails the next time.
          if (event.summary.chunks.pending === 0) told.clear();
          endPass(event.pass, event.summary);
          break;
        case 'scan-end':
          showsBar = event.changed > filesWorthABar;
          if (showsBar) bar.tell(event);
          break;
        case 'vectors-failed':
        case 'cache-failed':
          if (isNews(event.error.message)) bar.tell(event);
          break;
        case 'index-kept-back':
          if (isNews(event.type)) bar.tell(event);
          break;
        case 'document-failed':
          if (isNews(`${event.uri}: ${event.reason}`)) bar.tell(event);
          break;
        default:
          if (event.type === 'document-indexed') changed.push(event.uri);
          if (event.type === 'document-deleted') changed.push(`${event.uri} deleted`);
          if (showsBar) bar.tell(event);
      }
    },
  };
}

/** What a watch did in all. */
export function renderWatch(result: z.output<typeof watchOperation.output>, output: Output): void {
  const { passes, indexed, deleted } = result;
  output.result(`Stopped after ${passes} passes: ${indexed} indexed, ${deleted} deleted.`);
}

function passLine(changed: readonly string[], { documents, seconds }: IndexSummary): string {
  const [first = ''] = changed;
  const { indexed, deleted } = documents;
  const counts = [indexed > 0 && `${indexed} indexed`, deleted > 0 && `${deleted} deleted`].filter(Boolean);
  const what = changed.length === 1 ? harmlessLine(first) : counts.join(', ');
  return `${what} (${seconds.total.toFixed(1)} s)`;
}

function degradedLines(event: Extract<WatchEvent, { type: 'watch-degraded' }>): string[] {
  const where = event.folders > 0 ? `${event.folders} folders are` : 'The files are';
  return [
    `${where} not watched: ${harmless(event.reason)}. Everything is scanned every ${event.intervalSeconds} s instead.`,
    `  ${event.remedy}`,
  ];
}

function timeOfDay(): string {
  return new Date().toTimeString().slice(0, 8);
}
