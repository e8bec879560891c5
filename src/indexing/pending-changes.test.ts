import { describe, expect, test } from 'vitest';
import { PendingChanges } from './pending-changes.ts';

const path = (uri: string) => ({ kind: 'path', uri }) as const;
const content = (uri: string) => ({ kind: 'path', uri, contentOnly: true }) as const;

describe('pending changes', () => {
  test('are handed over once, each path once', () => {
    const pending = new PendingChanges();
    expect(pending.isEmpty).toBe(true);
    for (const uri of ['a', 'b', 'a']) pending.notice(path(uri));
    expect(pending.isEmpty).toBe(false);
    expect(pending.take()).toEqual({ paths: ['a', 'b'] });
    expect(pending.isEmpty).toBe(true);
    expect(pending.take()).toEqual({ paths: [] });
  });

  test('become a look at everything when they are many, or when a rule of everything changes', () => {
    const pending = new PendingChanges();
    for (let at = 0; at < 5000; at++) pending.notice(path(`f${at}`));
    expect(pending.take()).toEqual({ paths: undefined });
    pending.notice(path('a'));
    pending.notice({ kind: 'everything', why: 'another branch' });
    expect(pending.take()).toEqual({ paths: undefined });
  });

  test('take back what a failed pass left undone', () => {
    const pending = new PendingChanges();
    pending.notice(path('b'));
    pending.putBack({ paths: ['a'] });
    expect(pending.take().paths?.toSorted()).toEqual(['a', 'b']);
    pending.putBack({ paths: undefined });
    expect(pending.take()).toEqual({ paths: undefined });
  });

  test('pass over what is written into a file left out by its name, until its rules may have changed', () => {
    const pending = new PendingChanges();
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
    const pending = new PendingChanges();
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
