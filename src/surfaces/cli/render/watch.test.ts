import { beforeEach, describe, expect, test } from 'vitest';
import { QuarryError } from '../../../core/errors.ts';
import type { WatchEvent } from '../../../core/events.ts';
import type { IndexSummary } from '../../../core/index-summary.ts';
import { keptOutput } from '../terminal/kept-output.fixture.ts';
import { createWatchProgress, renderWatch } from './watch.ts';

let kept: ReturnType<typeof keptStatuses>;
beforeEach(() => {
  kept = keptStatuses();
});

/** An output that keeps what its last line said, too. */
function keptStatuses() {
  const statuses: string[] = [];
  const { output, ...rest } = keptOutput();
  return { ...rest, statuses, output: { ...output, status: (line: string) => void statuses.push(line) } };
}

const summary = (indexed: number, deleted: number, pending = 0): IndexSummary => ({
  documents: { indexed, unchanged: 0, deleted, failed: 0 },
  chunks: { total: 7, written: 0, embedded: 0, cached: 0, reused: 0, pending },
  skipped: {},
  redacted: 0,
  seconds: { total: 0.25, embedding: 0 },
});
const reportAll = (...events: WatchEvent[]): void => {
  const progress = createWatchProgress(kept.output);
  for (const event of events) progress.report(event);
  progress.end();
};
const withoutTime = () => kept.notes.map((line) => line.replace(/^\d\d:\d\d:\d\d/, 'time'));
const passEnd = (pass: number, indexed: number, deleted: number, pending = 0): WatchEvent => ({
  type: 'pass-end',
  pass,
  summary: summary(indexed, deleted, pending),
});

describe('a person who watches', () => {
  test('sees one line for each pass that changed something, and none for others', () => {
    reportAll(
      { type: 'watch-start', folder: '/home/me/notes', intervalSeconds: 300 },
      passEnd(1, 0, 0),
      { type: 'pass-start', pass: 2, reason: 'changes', paths: 1 },
      { type: 'document-indexed', uri: 'a.md', chunks: 1 },
      passEnd(2, 1, 0),
      { type: 'document-indexed', uri: 'b.md', chunks: 1 },
      { type: 'document-indexed', uri: 'c.md', chunks: 1 },
      { type: 'document-deleted', uri: 'd.md' },
      passEnd(3, 2, 1),
      { type: 'document-deleted', uri: 'b.md' },
      passEnd(4, 0, 1),
      passEnd(5, 0, 0),
    );
    expect(withoutTime()).toEqual([
      'Watching /home/me/notes',
      'Up to date with 7 chunks. Ctrl-C stops.',
      'time  a.md (0.3 s)',
      'time  2 indexed, 1 deleted (0.3 s)',
      'time  b.md deleted (0.3 s)',
    ]);
    expect(kept.results).toEqual([]);
  });

  test('is warned once while the same thing fails, and again after it had worked', () => {
    const error = new QuarryError('store-busy', 'The index is busy.', 'Wait.');
    const failed: WatchEvent = { type: 'pass-failed', pass: 1, error, retrySeconds: 5 };
    reportAll(failed, failed, passEnd(3, 0, 0), failed);
    expect(kept.notes).toEqual([
      'warning The index is busy.',
      '  Wait.',
      '  Retrying in 5 s; the wait grows while it fails.',
      'Up to date with 7 chunks. Ctrl-C stops.',
      'warning The index is busy.',
      '  Wait.',
      '  Retrying in 5 s; the wait grows while it fails.',
    ]);
  });

  test('reads what is not watched, and which settings were refused', () => {
    const error = new QuarryError('config-invalid', 'quarry.toml is wrong.', 'Correct it.');
    reportAll(
      {
        type: 'watch-degraded',
        folders: 9,
        reason: 'no more room',
        remedy: 'Make room.',
        intervalSeconds: 74.2,
      },
      { type: 'settings-changed', files: ['quarry.toml'] },
      { type: 'settings-refused', error },
    );
    expect(kept.notes).toEqual([
      '9 folders are not watched: no more room. Everything is scanned every 75 s instead.',
      '  Make room.',
      'Settings have changed: quarry.toml',
      'warning quarry.toml is wrong.',
      '  Correct it.',
    ]);
  });

  test('reads that the index is up to date once all vectors are made, and of changes before that', () => {
    const paused: WatchEvent = { type: 'vectors-paused', pending: 900 };
    const scan = (changed: number): WatchEvent[] => [
      { type: 'scan-start' },
      { type: 'scan-end', files: 1000, changed, skipped: 0 },
    ];
    const progress = createWatchProgress(kept.output);
    const report = (...events: WatchEvent[]) => events.forEach((event) => void progress.report(event));
    report({ type: 'pass-start', pass: 1, reason: 'start' }, ...scan(0), paused, passEnd(1, 0, 0, 900));
    expect(kept.notes).toEqual([]);
    report({ type: 'pass-start', pass: 2, reason: 'changes', paths: 1 }, ...scan(1));
    report({ type: 'document-indexed', uri: 'a.md', chunks: 1 }, { type: 'model-loading', name: 'm' });
    expect(kept.notes).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d {2}a\.md \(\d+\.\d s\)$/)]);
    report({ type: 'model-ready', name: 'm', seconds: 1 }, { type: 'vectors-added', done: 9, total: 901 });
    // The bar continues, though only one file was read.
    expect(kept.statuses.at(-1)).toContain('9/901 chunks');
    report(passEnd(2, 1, 0));
    expect(kept.notes.slice(1)).toEqual(['Up to date with 7 chunks. Ctrl-C stops.']);
    progress.end();
  });

  test('sees no file counted that a later scan leaves out', () => {
    const skipped = { uri: 'x.bin', reason: 'binary', rule: 'zero bytes' } as const;
    const pass = (number: number): WatchEvent[] => [
      { type: 'pass-start', pass: number, reason: number === 1 ? 'start' : 'settings' },
      { type: 'scan-start' },
      { type: 'path-skipped', skipped },
      { type: 'scan-end', files: 30, changed: 30, skipped: 1 },
      { type: 'path-skipped', skipped },
      passEnd(number, 30, 0),
    ];
    reportAll(...pass(1), ...pass(2));
    expect(kept.statuses.filter((line) => line.includes('Reading'))).toEqual([
      expect.stringContaining(' 0/30 files'),
      expect.stringContaining(' 1/30 files'),
      expect.stringContaining(' 0/30 files'),
      expect.stringContaining(' 1/30 files'),
    ]);
  });

  test('sees in the end what was done in all', () => {
    renderWatch({ passes: 4, indexed: 12, deleted: 3, failed_passes: 0 }, kept.output);
    expect(kept.results).toEqual(['Stopped after 4 passes: 12 indexed, 3 deleted.']);
  });
});
