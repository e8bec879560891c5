import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PendingChanges } from './pending-changes.ts';
import { defaultTiming } from './watch-timing.ts';

const path = (uri: string) => ({ kind: 'path', uri }) as const;
const content = (uri: string) => ({ kind: 'path', uri, contentOnly: true }) as const;

describe('pending changes', () => {
  test('are handed over once, each path once', () => {
    const pending = new PendingChanges(defaultTiming);
    expect(pending.isEmpty).toBe(true);
    for (const uri of ['a', 'b', 'a']) pending.notice(path(uri));
    expect(pending.isEmpty).toBe(false);
    expect(pending.take()).toEqual({ paths: ['a', 'b'] });
    expect(pending.isEmpty).toBe(true);
    expect(pending.take()).toEqual({ paths: [] });
  });

  test('become a look at everything when they are many, or when a rule of everything changes', () => {
    const pending = new PendingChanges(defaultTiming);
    for (let at = 0; at < 5000; at++) pending.notice(path(`f${at}`));
    expect(pending.take()).toEqual({ paths: undefined });
    pending.notice(path('a'));
    pending.notice({ kind: 'everything', why: 'another branch' });
    expect(pending.take()).toEqual({ paths: undefined });
  });

  test('take back what a failed pass left undone', () => {
    const pending = new PendingChanges(defaultTiming);
    pending.notice(path('b'));
    pending.putBack({ paths: ['a'] });
    expect(pending.take().paths?.toSorted()).toEqual(['a', 'b']);
    pending.putBack({ paths: undefined });
    expect(pending.take()).toEqual({ paths: undefined });
  });

  test('pass over what is written into a file left out by its name, until its rules may have changed', () => {
    const pending = new PendingChanges(defaultTiming);
    pending.mute({ uri: 'debug.log', reason: 'ignored', rule: '*.log' });
    pending.mute({ uri: 'docs/debug.log', reason: 'ignored', rule: '*.log' });
    pending.mute({ uri: 'node_modules/', reason: 'dependencies', rule: 'default' });
    pending.mute({ uri: 'empty.md', reason: 'empty', rule: 'no bytes' });
    expect(pending.notice(content('debug.log'))).toBe(false);
    expect(pending.notice(content('node_modules'))).toBe(false);
    expect(pending.notice(content('empty.md'))).toBe(true);
    expect(pending.notice(path('debug.log'))).toBe(true);
    expect(pending.take()).toEqual({ paths: ['empty.md', 'debug.log'] });
    expect(pending.notice(content('debug.log'))).toBe(true);
    expect(pending.notice(content('docs/debug.log'))).toBe(false);
    pending.notice(path('docs'));
    pending.take();
    expect(pending.notice(content('docs/debug.log'))).toBe(true);
  });

  test('wake the one who waits at once, and let go of one who is stopped', async () => {
    const pending = new PendingChanges(defaultTiming);
    const hour = 3_600_000;
    const waiting = pending.wait(hour);
    pending.notice(path('a'));
    await waiting;
    const stop = new AbortController();
    const stopped = pending.wait(hour, stop.signal);
    stop.abort();
    await stopped;
    await pending.wait(hour, stop.signal);
  });
});

describe('a path that changes on and on', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  interface Restless {
    readonly uri: string;
    /** Milliseconds between two changes, and those that a pass for it takes. */
    readonly every: number;
    readonly takes: number;
  }

  /** Takes what is due at once, for so long, and tells in which seconds each path was. */
  function passesFor(milliseconds: number, changes: readonly Restless[]): Map<string, number[]> {
    const pending = new PendingChanges(defaultTiming);
    const passes = new Map(changes.map(({ uri }): [string, number[]] => [uri, []]));
    for (let now = 0; now <= milliseconds; now += 50) {
      for (const { uri, every } of changes) if (now % every === 0) pending.notice(content(uri));
      if (pending.dueIn === 0) {
        const taken = pending.take();
        const costs = changes.filter(({ uri }) => taken.paths?.includes(uri)).map(({ takes }) => takes);
        pending.passed(taken, Math.max(0, ...costs));
        for (const uri of taken.paths ?? []) passes.get(uri)?.push(now / 1000);
      }
      vi.advanceTimersByTime(50);
    }
    return passes;
  }
  const waits = (times: readonly number[] = []) => times.map((time, at) => time - (times[at - 1] ?? 0));

  test('rests the longer the more it takes, a minute at most', () => {
    const log = passesFor(100_000, [{ uri: 'app.log', every: 200, takes: 600 }]).get('app.log');
    expect(waits(log).map(Math.round)).toEqual([5, ...Array(9).fill(11)]);
    const large = passesFor(200_000, [{ uri: 'large.log', every: 200, takes: 9000 }]).get('large.log');
    expect(waits(large).map(Math.round)).toEqual([5, 60, 60, 60]);
  });

  test('is as prompt as any other where it is quick to take in', () => {
    const edited = passesFor(20_000, [{ uri: 'a.ts', every: 4000, takes: 240 }]).get('a.ts');
    expect(edited).toEqual([0.3, 4.3, 8.3, 12.3, 16.3]);
  });

  test('bears its share of a pass, not the time that was spent on others', () => {
    const pending = new PendingChanges(defaultTiming);
    const uris = Array.from({ length: 20 }, (_, at) => `${at}.ts`);
    for (const uri of uris) pending.notice(content(uri));
    pending.passed(pending.take(), 20 * defaultTiming.quickPass);
    for (const uri of uris) pending.notice(content(uri));
    expect(pending.dueIn).toBe(defaultTiming.quiet);
    vi.advanceTimersByTime(defaultTiming.quiet);
    expect(pending.take()).toEqual({ paths: uris });
  });

  test('rests for seconds after many passes in a row, however quick it is', () => {
    const own = passesFor(30_000, [{ uri: 'watch.log', every: 500, takes: 10 }]).get('watch.log') ?? [];
    const first = own.filter((time) => time < 5.4);
    expect(first.length).toBeGreaterThanOrEqual(10);
    expect(
      waits(own)
        .slice(first.length + 1)
        .every((wait) => wait >= 3),
    ).toBe(true);
  });

  test('is no cause to wait for others', () => {
    const passes = passesFor(120_000, [
      { uri: 'app.log', every: 1000, takes: 600 },
      { uri: 'notes.md', every: 20_000, takes: 40 },
    ]);
    expect(passes.get('notes.md')?.map(Math.round)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(passes.get('app.log')?.length).toBeLessThan(15);
  });

  test('is taken in once it has rested, though no other sign came', () => {
    const pending = new PendingChanges(defaultTiming);
    pending.notice(content('app.log'));
    pending.passed(pending.take(), 1000);
    pending.notice(content('app.log'));
    expect(pending.isEmpty).toBe(true);
    expect(pending.dueIn).toBe(22_500);
    vi.advanceTimersByTime(22_500);
    expect(pending.isEmpty).toBe(false);
    expect(pending.sign).toBe('app.log');
    expect(pending.take()).toEqual({ paths: ['app.log'] });
    expect(pending.isEmpty).toBe(true);
  });

  test('is looked at with everything else whenever everything is', () => {
    const pending = new PendingChanges(defaultTiming);
    pending.notice(content('app.log'));
    pending.passed(pending.take(), 1000);
    pending.notice(content('app.log'));
    expect(pending.take()).toEqual({ paths: [] });
    pending.notice({ kind: 'everything', why: 'another branch' });
    expect(pending.sign).toBe('another branch');
    expect(pending.take()).toEqual({ paths: undefined });
    vi.advanceTimersByTime(defaultTiming.maxRest);
    expect(pending.isEmpty).toBe(true);
  });
});
