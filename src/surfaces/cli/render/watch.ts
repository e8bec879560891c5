import type { z } from 'zod';
import type { QuarryError } from '../../../core/errors.ts';
import type { WatchEvent } from '../../../core/events.ts';
import type { IndexSummary } from '../../../core/index-summary.ts';
import { counted } from '../../../core/text/counted.ts';
import type { watchOperation } from '../../../operations/index/watch.ts';
import type { Output } from '../terminal/output.ts';
import { createProgress, type ProgressRenderer } from '../terminal/progress.ts';

type Change = Extract<WatchEvent, { type: 'document-indexed' | 'document-deleted' }>;

/** A pass over fewer files than this is done before a bar could be read. */
const filesWorthABar = 20;

/** Shows a watch: a bar while much is indexed, one line for each pass that changed the index, a warning only once. */
export function createWatchProgress(output: Output): ProgressRenderer {
  const bar = createProgress(output);
  const warned = new Set<string>();
  let showsBar = true;
  let isScanning = false;
  /** Whether vectors were left for later, so that the index is not up to date yet. */
  let isPaused = false;
  let wasPaused = false;
  let saysUpToDate = true;
  let changed: Change[] = [];
  let passBegan = 0;
  const isNews = (what: string): boolean => !warned.has(what) && warned.add(what).has(what);

  const warn = (error: QuarryError, ...more: string[]): void => {
    bar.end();
    if (!isNews(error.message)) return;
    output.note(`${output.styleNote('yellow', 'warning')} ${error.message}`);
    for (const line of [error.remedy, ...more]) output.note(`  ${line}`);
  };
  const noteChanges = (seconds: number): void => {
    bar.end();
    if (changed.length > 0) output.note(`${timeOfDay()}  ${passLine(changed, seconds)}`);
    changed = [];
  };
  const endPass = (summary: IndexSummary): void => {
    noteChanges(summary.seconds.total);
    if (!saysUpToDate || isPaused) return;
    saysUpToDate = false;
    output.note(`Up to date with ${counted(summary.chunks.total, 'chunk')}. Ctrl-C stops.`);
  };

  return {
    end: () => bar.end(),
    report(event) {
      switch (event.type) {
        case 'watch-start':
          output.note(`Watching ${event.folder}`);
          break;
        case 'watch-degraded':
          if (isNews(event.reason)) for (const line of degradedLines(event)) output.note(line);
          break;
        case 'settings-changed':
          output.note(`Settings have changed: ${event.files.join(', ')}`);
          break;
        case 'settings-refused':
          warn(event.error);
          break;
        case 'pass-start':
          passBegan = performance.now();
          isScanning = true;
          wasPaused = isPaused;
          isPaused = false;
          showsBar = event.reason === 'start' || event.reason === 'settings';
          break;
        case 'pass-failed':
          warn(event.error, `Retrying in ${event.retrySeconds} s; the wait grows while it fails.`);
          break;
        case 'pass-end':
          // Everything works again, so the next failure is news.
          if (event.summary.chunks.pending === 0) warned.clear();
          endPass(event.summary);
          break;
        case 'scan-start':
          isScanning = true;
          if (showsBar) bar.report(event);
          break;
        case 'scan-end':
          isScanning = false;
          // A pass that was paused continues to make vectors, even if few files were read.
          showsBar = event.changed > filesWorthABar || wasPaused;
          if (showsBar) bar.report(event);
          break;
        case 'path-skipped':
          // Paths that the scan skips are not among the files to read.
          if (showsBar && !isScanning) bar.report(event);
          break;
        case 'vectors-paused':
          isPaused = true;
          break;
        case 'documents-stale':
          if (!event.error) isPaused = true;
          else if (isNews(event.error.message)) bar.report(event);
          break;
        case 'vectors-failed':
        case 'root-failed':
        case 'index-set-aside':
        case 'project-disabled':
        case 'cache-failed':
          if (isNews(event.error.message)) bar.report(event);
          break;
        case 'document-failed':
          if (isNews(`${event.uri}: ${event.reason}`)) bar.report(event);
          break;
        default:
          if (event.type === 'document-indexed' || event.type === 'document-deleted') changed.push(event);
          // The remaining vectors may take hours, but the changed text is searchable now.
          if (wasPaused && !isScanning && (event.type === 'model-loading' || event.type === 'index-waiting'))
            noteChanges((performance.now() - passBegan) / 1000);
          if (showsBar) bar.report(event);
      }
    },
  };
}

/** The totals of a watch. */
export function renderWatch(result: z.output<typeof watchOperation.output>, output: Output): void {
  const { passes, indexed, deleted, disabled } = result;
  if (disabled) {
    output.note('Nothing is watched.');
    return;
  }
  output.result(`Stopped after ${passes} passes: ${indexed} indexed, ${deleted} deleted.`);
}

function passLine(changed: readonly Change[], seconds: number): string {
  const [first] = changed;
  const deleted = changed.filter(({ type }) => type === 'document-deleted').length;
  const indexed = changed.length - deleted;
  const counts = [indexed > 0 && `${indexed} indexed`, deleted > 0 && `${deleted} deleted`].filter(Boolean);
  const alone = first && `${first.uri}${deleted > 0 ? ' deleted' : ''}`;
  return `${changed.length === 1 ? alone : counts.join(', ')} (${seconds.toFixed(1)} s)`;
}

function degradedLines(event: Extract<WatchEvent, { type: 'watch-degraded' }>): string[] {
  const where = event.folders > 0 ? `${event.folders} folders are` : 'The files are';
  return [
    `${where} not watched: ${event.reason}. Everything is scanned every ${Math.ceil(event.intervalSeconds)} s instead.`,
    `  ${event.remedy}`,
  ];
}

function timeOfDay(): string {
  return new Date().toTimeString().slice(0, 8);
}
