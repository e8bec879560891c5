import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Source } from '../../contracts/source.ts';
import { QuarryError } from '../../core/errors.ts';
import type { IndexEvent, WatchEvent } from '../../core/events.ts';
import { calm, end, endsPass, scan, scripted, timing, watchUntil } from './scripted-watch.fixture.ts';
import { watchFiles } from './watch.ts';
import type { Watched } from './watched.ts';

const broken = new QuarryError('store-busy', 'Another process writes.', 'Wait for it.');

describe('a pass that fails', () => {
  test('is reported and tried again with what it was about, in a project that is opened again', async () => {
    const { target, asked, state } = scripted([calm, broken, broken]);
    const events = await watchUntil(target, (event) => {
      if (event.type === 'pass-end' && event.pass === 1) state.notice({ kind: 'path', uri: 'a.md' });
      return endsPass(4)(event);
    });
    expect(asked).toEqual([undefined, ['a.md'], undefined, undefined]);
    expect(state).toMatchObject({ opened: 3, closed: 3 });
    expect(events.filter((event) => event.type === 'pass-failed')).toEqual([
      { type: 'pass-failed', pass: 2, error: broken, retrySeconds: 0.005 },
      { type: 'pass-failed', pass: 3, error: broken, retrySeconds: 0.01 },
    ]);
    expect(events.at(-1)).toEqual({ type: 'watch-end', passes: 4 });
  });

  test('is tried again when it was said to be, however much changes meanwhile', async () => {
    async function* breaksBusily(): AsyncGenerator<IndexEvent> {
      yield { type: 'scan-start' };
      state.notice({ kind: 'path', uri: 'app.log' });
      throw broken;
    }
    const { target, state } = scripted([breaksBusily]);
    const events = await watchUntil(target, endsPass(2));
    const reasons = events.flatMap((event) => (event.type === 'pass-start' ? [event.reason] : []));
    expect(reasons).toEqual(['start', 'retry']);
  });

  test('ends the watch with its error where the project cannot be used at all', async () => {
    const tooNew = new QuarryError('store-too-new', 'Written by a newer one.', 'Update.');
    const { target, state } = scripted([tooNew]);
    await expect(watchUntil(target, () => false)).rejects.toBe(tooNew);
    expect(state.closed).toBe(1);
  });

  test('does not end a watch that has worked, whatever the reason', async () => {
    const { target } = scripted([calm, new QuarryError('config-invalid', 'A bad value.', 'Mend it.')], {
      intervalSeconds: 0.005,
    });
    const events = await watchUntil(target, endsPass(3));
    expect(events.filter((event) => event.type === 'pass-failed')).toHaveLength(1);
  });

  test('for want of vectors is followed by one that makes vectors alone', async () => {
    const failed: IndexEvent = { type: 'vectors-failed', error: broken, pending: 3 };
    const { target, asked, askedAgain } = scripted([[...scan, failed, end]]);
    await watchUntil(target, endsPass(2));
    expect(asked).toEqual([undefined, []]);
    // A model that refused a text would refuse it again, and may want to be paid for it.
    expect(askedAgain).toEqual([true, false]);
  });
});

describe('what was lost', () => {
  test('is looked for, so that its return does not wait for the next try', async () => {
    const root = join(await temporaryFolder(), 'docs');
    mkdirSync(root);
    const { target, state } = scripted([calm, broken], { roots: [root] });
    const patient = { retry: 3_600_000, maxRetry: 3_600_000 };
    const stop = (event: WatchEvent): boolean => {
      if (endsPass(1)(event)) {
        rmdirSync(root);
        state.notice({ kind: 'everything', why: 'a root is gone' });
      }
      if (event.type === 'pass-failed') mkdirSync(root);
      return endsPass(3)(event);
    };
    const events = await watchUntil(target, stop, patient);
    expect(events).toContainEqual({ type: 'pass-start', pass: 3, reason: 'retry' });
  });
});

describe('the making of vectors', () => {
  const loading: IndexEvent = { type: 'model-loading', name: 'm' };
  const added: IndexEvent = { type: 'vectors-added', done: 32, total: 900 };
  const paused: IndexEvent = { type: 'vectors-paused', pending: 868 };
  /** Makes vectors until it is asked to give way, and for ever if it is not. */
  async function* making(giveWay: AbortSignal): AsyncGenerator<IndexEvent> {
    yield* [...scan, loading, added];
    await new Promise((resolve) => giveWay.addEventListener('abort', resolve));
    yield* [paused, end];
  }
  const reasons = (events: readonly WatchEvent[]) =>
    events.flatMap((event) => (event.type === 'pass-start' ? [event.reason] : []));

  test('is interrupted by changes, again and again, and continues with their pass', async () => {
    const { target, asked, state } = scripted([making, making, calm]);
    const events = await watchUntil(target, (event) => {
      if (event.type === 'vectors-added') state.notice({ kind: 'path', uri: `${asked.length}.md` });
      return endsPass(3)(event);
    });
    expect(asked).toEqual([undefined, ['1.md'], ['2.md']]);
    expect(reasons(events)).toEqual(['start', 'changes', 'changes']);
    expect(events.filter((event) => event.type === 'pass-failed')).toEqual([]);
  });

  test('is interrupted by a scan that is due, and by settings that have changed', async () => {
    const file = join(await temporaryFolder({ 'quarry.toml': '' }), 'quarry.toml');
    const { target, asked, state } = scripted([making, making], {
      intervalSeconds: 0.02,
      settingsFiles: [file],
    });
    const events = await watchUntil(target, (event) => {
      if (event.type === 'vectors-added' && asked.length === 2) writeFileSync(file, 'preset = "code"\n');
      return endsPass(3)(event);
    });
    expect(reasons(events).slice(0, 2)).toEqual(['start', 'interval']);
    expect(asked).toEqual([undefined, undefined, undefined]);
    expect(state.opened).toBe(2);
  });

  test('is not interrupted while a tool is in the midst of changing files', async () => {
    const { open, asked, state } = scripted([making]);
    let looks = 0;
    const busy = async (): Promise<Watched> => {
      const watched = await open();
      const watch: Source['watch'] = (notice) => {
        state.notice = notice;
        return {
          refresh: async () => {},
          poll: async () => {},
          isBusy: async () => ++looks < 3,
          close() {},
        };
      };
      return { ...watched, source: { ...watched.source, watch } };
    };
    await watchUntil({ settingsFiles: [], open: busy }, (event) => {
      if (event.type === 'vectors-added') state.notice({ kind: 'path', uri: 'a.md' });
      if (event.type === 'vectors-paused') expect(looks).toBe(3);
      return endsPass(2)(event);
    });
    expect(asked).toEqual([undefined, ['a.md']]);
  });

  test.each([paused, { type: 'documents-stale', stale: 2 } as const])(
    'is tried again later where another process has it in hand: $type',
    async (left) => {
      const { target, asked } = scripted([[...scan, left, end]]);
      const events = await watchUntil(target, endsPass(2));
      expect(asked).toEqual([undefined, []]);
      expect(reasons(events)).toEqual(['start', 'retry']);
    },
  );
});

describe('changes', () => {
  test('during a pass lead to one more pass', async () => {
    const { target, asked, refreshed, state } = scripted([calm]);
    await watchUntil(target, (event) => {
      if (event.type === 'scan-start') for (const uri of ['a', 'b', 'a']) state.notice({ kind: 'path', uri });
      return endsPass(2)(event);
    });
    expect(asked).toEqual([undefined, ['a', 'b']]);
    expect(refreshed.map(({ only }) => only)).toEqual(asked);
  });

  test('of settings open the project again and look at everything', async () => {
    const folder = await temporaryFolder({ 'quarry.toml': '' });
    const file = join(folder, 'quarry.toml');
    const { target, asked, askedAgain, state } = scripted([], { settingsFiles: [file] });
    const events = await watchUntil(target, (event) => {
      if (event.type === 'pass-end' && event.pass === 1) void writeFile(file, 'preset = "code"\n');
      return endsPass(2)(event);
    });
    expect(events).toContainEqual({ type: 'settings-changed', files: [file] });
    expect(state.opened).toBe(2);
    expect(asked).toEqual([undefined, undefined]);
    expect(askedAgain).toEqual([true, true]);
  });
});

test('settings that are written while the project is opened open it again', async () => {
  const file = join(await temporaryFolder({ 'quarry.toml': '' }), 'quarry.toml');
  const { open, state } = scripted([]);
  const opening = async (): Promise<Watched> => {
    const watched = await open();
    if (state.opened === 1) writeFileSync(file, 'preset = "code"\n');
    return watched;
  };
  const events = await watchUntil({ settingsFiles: [file], open: opening }, endsPass(1));
  expect(events).toContainEqual({ type: 'settings-changed', files: [file] });
  expect(state.opened).toBe(2);
});

describe('what cannot be watched', () => {
  afterEach(() => vi.useRealTimers());

  test('is reported with how long a scan really rests', async () => {
    vi.useFakeTimers();
    const { open } = scripted([
      async function* slow() {
        yield { type: 'scan-start' };
        vi.advanceTimersByTime(2_000);
        yield { type: 'scan-end', files: 0, changed: 0, skipped: 0 };
        yield end;
      },
    ]);
    const silent = async (): Promise<Watched> => {
      const watched = await open();
      return { ...watched, source: { scan: watched.source.scan, read: watched.source.read } };
    };
    const timing = { degradedInterval: 60_000, restPerScan: 150, poll: 2_000 };
    const events = await watchUntil({ settingsFiles: [], open: silent }, endsPass(1), timing);
    expect(events).toContainEqual({
      type: 'watch-degraded',
      folders: 0,
      reason: 'its source tells of no changes',
      remedy: 'A scan takes too long to be made more often, whatever watch.interval_seconds says.',
      intervalSeconds: 300,
    });
  });

  test('is reported once and scanned more often', async () => {
    const { open, state } = scripted([]);
    const hint = { kind: 'unwatched', folders: 3, why: 'too many', remedy: 'Raise the limit.' } as const;
    const refusing = async (): Promise<Watched> => {
      const watched = await open();
      const watch: Source['watch'] = (notice) => ({
        refresh: async () => notice(hint),
        poll: async () => {},
        isBusy: async () => false,
        close() {},
      });
      return { ...watched, source: { ...watched.source, watch } };
    };
    const stop = new AbortController();
    const events: WatchEvent[] = [];
    const often = { ...timing, degradedInterval: 10 };
    for await (const event of watchFiles(
      { settingsFiles: [], open: refusing },
      { signal: stop.signal, timing: often },
    )) {
      events.push(event);
      if (endsPass(3)(event)) stop.abort();
    }
    expect(events.filter((event) => event.type === 'watch-degraded')).toEqual([
      {
        type: 'watch-degraded',
        folders: 3,
        reason: 'too many',
        remedy: 'Raise the limit. To have them scanned more often, lower watch.interval_seconds.',
        intervalSeconds: 0.01,
      },
    ]);
    expect(events.flatMap((event) => (event.type === 'pass-start' ? [event.reason] : []))).toEqual([
      'start',
      'interval',
      'interval',
    ]);
    expect(state.closed).toBe(1);
  });

  test('is everything where the source cannot watch', async () => {
    const { open } = scripted([]);
    const silent = async (): Promise<Watched> => {
      const watched = await open();
      return { ...watched, source: { scan: watched.source.scan, read: watched.source.read } };
    };
    const events = await watchUntil({ settingsFiles: [], open: silent }, endsPass(1));
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'watch-degraded', reason: 'its source tells of no changes' }),
    );
  });
});

test('a caller that leaves the loop closes what the watch held open', async () => {
  const { target, state } = scripted([]);
  for await (const event of watchFiles(target, { timing })) if (event.type === 'pass-end') break;
  expect(state).toMatchObject({ opened: 1, closed: 1 });
});
