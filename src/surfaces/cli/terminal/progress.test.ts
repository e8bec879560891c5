import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { QuarryError } from '../../../core/errors.ts';
import { shownLine } from '../../../core/text/shown-text.ts';
import type { Output } from './output.ts';
import { createProgress } from './progress.ts';

let notes: string[];
let status: string;
const output = (live: boolean): Output => ({
  live,
  result() {},
  note: (line) => notes.push(line),
  status(line) {
    if (live) status = line;
  },
  link: (text) => text,
  style: (_, text) => text,
  styleNote: (_, text) => text,
});

beforeEach(() => {
  vi.useFakeTimers();
  notes = [];
  status = '';
});
afterEach(() => vi.useRealTimers());

test.each([
  [undefined, 'Another process is indexing this project; waiting for it …'],
  [
    'process 4711\u001b[2J',
    `Another process is indexing this project (${shownLine('process 4711\u001b[2J')}); waiting for it …`,
  ],
])('who waits reads for whom, where that is known: %j', (holder, line) => {
  createProgress(output(true)).report({ type: 'index-waiting', ...(holder !== undefined && { holder }) });
  expect(notes).toEqual([line]);
});

describe('while the model loads', () => {
  test('a spinner appears after half a second, and not before', () => {
    const progress = createProgress(output(true));
    progress.report({ type: 'model-loading', name: 'm' });
    vi.advanceTimersByTime(499);
    expect(status).toBe('');
    vi.advanceTimersByTime(2);
    expect(status).toMatch(/^. Loading the embedding model …$/);
    const shown = status;
    vi.advanceTimersByTime(100);
    expect(status).not.toBe(shown);
    progress.end();
    expect(status).toBe('');
  });

  test('a model that is ready in time is not mentioned', () => {
    const progress = createProgress(output(true));
    progress.report({ type: 'model-loading', name: 'm' });
    vi.advanceTimersByTime(300);
    progress.report({ type: 'model-ready', name: 'm', seconds: 0.3 });
    vi.advanceTimersByTime(5000);
    expect(status).toBe('');
    expect(notes).toEqual([]);
  });

  test('without a terminal a single line says so', () => {
    const progress = createProgress(output(false));
    progress.report({ type: 'model-loading', name: 'm' });
    vi.advanceTimersByTime(3000);
    progress.end();
    expect(notes).toEqual(['Loading the embedding model …']);
  });
});

describe('while files are indexed', () => {
  test('the bar shows what is done, the rate and the time left', () => {
    const progress = createProgress(output(true));
    progress.report({ type: 'model-ready', name: 'm', seconds: 0 });
    for (const done of [0, 30, 60, 90]) {
      progress.report({ type: 'vectors-added', done, total: 180 });
      vi.advanceTimersByTime(1000);
    }
    expect(status).toBe('Embedding ████████████░░░░░░░░░░░░  90/180 chunks · 30/s · 3 s left');
  });

  test('a burst of vectors from the cache predicts no early end', () => {
    const progress = createProgress(output(true));
    progress.report({ type: 'model-ready', name: 'm', seconds: 0 });
    progress.report({ type: 'vectors-added', done: 32, total: 3000 });
    const left: string[] = [];
    for (let second = 1; second <= 20; second += 1) {
      vi.advanceTimersByTime(1000);
      progress.report({ type: 'vectors-added', done: 2180 + second * 20, total: 3000 });
      left.push(status.match(/\d+ s left/)?.[0] ?? '');
    }
    expect(left.slice(0, 10)).toEqual(Array(10).fill(''));
    expect(left.slice(10)).toEqual(Array.from({ length: 10 }, (_, at) => `${30 - at} s left`));
  });

  test('reading counts from the moment the files are known, and a phase knows nothing of the one before', () => {
    const progress = createProgress(output(true));
    progress.report({ type: 'scan-end', files: 8, changed: 8, skipped: 0 });
    for (let file = 0; file < 4; file += 1) {
      vi.advanceTimersByTime(1000);
      progress.report({ type: 'document-indexed', uri: `${file}.md`, chunks: 2 });
    }
    expect(status).toMatch(/4\/8 files · 8 chunks · 1\.0\/s · 4 s left$/);
    progress.report({ type: 'model-ready', name: 'm', seconds: 0 });
    progress.report({ type: 'vectors-added', done: 32, total: 64 });
    expect(status).toMatch(/32\/64 chunks$/);
  });

  test('failures stay on the screen', () => {
    const progress = createProgress(output(true));
    progress.report({ type: 'scan-end', files: 1, changed: 1, skipped: 0 });
    progress.report({ type: 'document-failed', uri: 'a.md', reason: 'broken' });
    expect(notes).toEqual(['failed a.md: broken']);
  });

  test('vectors that cannot be made are a warning with its remedy', () => {
    const progress = createProgress(output(false));
    const error = new QuarryError('requirement-missing', 'No runtime.', 'Run: npm install it');
    progress.report({ type: 'vectors-failed', error, pending: 3 });
    expect(notes).toEqual([
      'warning No runtime.',
      '  Run: npm install it',
      '  Until then the text of 3 chunks is searched by words only.',
    ]);
  });

  test('texts that the model refused are named with place and reason, a long list by its beginning', () => {
    const progress = createProgress(output(false));
    const error = new QuarryError('embedding-failed', 'The model refused 7 texts.', 'Run: quarry status');
    const chunks = Array.from({ length: 7 }, (_, number) => ({
      uri: `a${number}.md`,
      place: { kind: 'lines', first: number + 1, last: number + 3 } as const,
      reason: 'not allowed',
      space: 'x',
    }));
    progress.report({ type: 'vectors-failed', error, pending: 9, refused: { total: 30, chunks } });
    expect(notes).toEqual([
      'warning The model refused 7 texts.',
      ...[0, 1, 2, 3, 4].map((number) => `  refused a${number}.md:${number + 1}-${number + 3}: not allowed`),
      '  and 25 more',
      '  Run: quarry status',
      '  Until then the text of 9 chunks is searched by words only.',
    ]);
  });
});

describe('around a large index', () => {
  test('cutting it again for other settings shows how far it is, and what is left', () => {
    const progress = createProgress(output(true));
    progress.report({ type: 'documents-recut', done: 0, total: 400 });
    expect(notes).toEqual(['Cutting 400 documents again for the new settings …']);
    progress.report({ type: 'documents-recut', done: 100, total: 400 });
    expect(status).toMatch(/^Cutting again █{6}░{18} {2}100\/400 documents/);
    const error = new QuarryError('provider-key', 'No key.', 'Give one.');
    progress.report({ type: 'documents-stale', stale: 300, error });
    expect(notes.slice(1)).toEqual([
      'warning No key.',
      '  Give one.',
      '  Until then the previous cut of 300 documents is searched.',
    ]);
  });

  test('preparing its search shows how far it is, and what cannot be prepared is a warning', () => {
    const progress = createProgress(output(true));
    progress.report({ type: 'search-preparing', done: 0, total: 400_000 });
    expect(notes).toEqual(['Preparing fast search among 400000 vectors …']);
    progress.report({ type: 'search-preparing', done: 100_000, total: 400_000 });
    expect(status).toMatch(/^Preparing search █{6}░{18} {2}100000\/400000 vectors/);
    const error = new QuarryError('store-unusable', 'No space.', 'Free some.');
    progress.report({ type: 'search-unprepared', error });
    expect(notes.slice(1)).toEqual(['warning No space.', '  Free some.']);
  });

  test('what was left behind is named when it goes', () => {
    createProgress(output(false)).report({
      type: 'leftovers-removed',
      names: ['index.sqlite', 'ab'],
    });
    expect(notes).toEqual(['Removed what is no longer used: index.sqlite, ab']);
  });
});
