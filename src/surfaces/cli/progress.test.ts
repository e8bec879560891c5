import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { QuarryError } from '../../core/errors.ts';
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
  style: (_, text) => text,
  styleNote: (_, text) => text,
});

beforeEach(() => {
  vi.useFakeTimers();
  notes = [];
  status = '';
});
afterEach(() => vi.useRealTimers());

describe('while the model loads', () => {
  test('a spinner appears after half a second, and not before', () => {
    const progress = createProgress(output(true));
    progress.tell({ type: 'model-loading', name: 'm' });
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
    progress.tell({ type: 'model-loading', name: 'm' });
    vi.advanceTimersByTime(300);
    progress.tell({ type: 'model-ready', name: 'm', seconds: 0.3 });
    vi.advanceTimersByTime(5000);
    expect(status).toBe('');
    expect(notes).toEqual([]);
  });

  test('without a terminal a single line says so', () => {
    const progress = createProgress(output(false));
    progress.tell({ type: 'model-loading', name: 'm' });
    vi.advanceTimersByTime(3000);
    progress.end();
    expect(notes).toEqual(['Loading the embedding model …']);
  });
});

describe('while files are indexed', () => {
  test('the bar shows what is done, the rate and the time left', () => {
    const progress = createProgress(output(true));
    progress.tell({ type: 'model-ready', name: 'm', seconds: 0 });
    vi.advanceTimersByTime(2000);
    progress.tell({ type: 'vectors-added', done: 60, total: 120 });
    expect(status).toBe('Embedding ████████████░░░░░░░░░░░░  60/120 chunks · 30/s · 2 s left');
  });

  test('failures stay on the screen, without control characters of theirs', () => {
    const progress = createProgress(output(true));
    progress.tell({ type: 'scan-end', files: 1, changed: 1, skipped: 0 });
    progress.tell({ type: 'document-failed', uri: 'a\u001b[31m.md', reason: 'broken\u0007' });
    expect(notes).toEqual(['failed a.md: broken\ufffd']);
  });

  test('vectors that cannot be made are a warning with its remedy', () => {
    const progress = createProgress(output(false));
    const error = new QuarryError('driver-package-missing', 'No runtime.', 'Run: npm install it');
    progress.tell({ type: 'vectors-failed', error, pending: 3 });
    expect(notes).toEqual([
      'warning No runtime.',
      '  Run: npm install it',
      '  Until then text search alone answers.',
    ]);
  });
});
