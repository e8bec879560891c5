import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ChangeHint, ScanOptions, Source } from '../contracts/source.ts';
import { QuarryError } from '../core/errors.ts';
import type { IndexEvent, IndexSummary, WatchEvent } from '../core/events.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { watchFiles } from './watch.ts';
import type { Watched } from './watched.ts';

const summary: IndexSummary = {
  documents: { indexed: 0, unchanged: 0, deleted: 0, failed: 0 },
  chunks: { total: 0, written: 0, embedded: 0, cached: 0, reused: 0, pending: 0 },
  skipped: {},
  redacted: 0,
  seconds: { total: 0, embedding: 0 },
};
const end: IndexEvent = { type: 'index-end', summary };
const timing = { quiet: 5, longest: 50, poll: 5, retry: 5, longestRetry: 20, restPerScan: 0 };
const broken = new QuarryError('store-busy', 'Another process writes.', 'Wait for it.');

/** A project whose passes are told what to do, one after the other; after the last one they are all well. */
function scripted(passes: readonly (readonly IndexEvent[] | QuarryError)[], more: Partial<Watched> = {}) {
  const script = [...passes];
  const asked: (readonly string[] | undefined)[] = [];
  /** Whether a pass was to ask models again for what they have refused. */
  const askedAgain: boolean[] = [];
  const refreshed: ScanOptions[] = [];
  const state = { opened: 0, closed: 0, notice: (_: ChangeHint): void => {} };
  const source: Source = {
    async *scan() {},
    read: async () => new Uint8Array(),
    watch(notice) {
      state.notice = notice;
      return {
        refresh: async (options = {}) => void refreshed.push(options),
        poll: async () => {},
        isBusy: async () => false,
        close() {},
      };
    },
  };
  const open = async (): Promise<Watched> => {
    state.opened += 1;
    return {
      folder: 'here',
      source,
      settingsFiles: [],
      intervalSeconds: 0,
      async *pass({ only, passOverRefused }) {
        asked.push(only);
        askedAgain.push(!passOverRefused);
        const next = script.shift() ?? [end];
        if (next instanceof QuarryError) throw next;
        yield* next;
      },
      async close() {
        state.closed += 1;
      },
      ...more,
    };
  };
  return { open, asked, askedAgain, refreshed, state };
}

/** Watches until an event that the test accepts, or until the end. */
async function watchUntil(open: () => Promise<Watched>, isLast: (event: WatchEvent) => boolean) {
  const stop = new AbortController();
  const events: WatchEvent[] = [];
  for await (const event of watchFiles(open, { signal: stop.signal, timing })) {
    events.push(event);
    if (isLast(event)) stop.abort();
  }
  return events;
}

const endsPass = (number: number) => (event: WatchEvent) =>
  event.type === 'pass-end' && event.pass === number;

describe('a pass that fails', () => {
  test('is told and tried again with what it was about, in a project opened anew', async () => {
    const { open, asked, state } = scripted([[end], broken, broken]);
    const events = await watchUntil(open, (event) => {
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

  test('ends the watch with its error where the project cannot be used at all', async () => {
    const tooNew = new QuarryError('store-too-new', 'Written by a newer one.', 'Update.');
    const { open, state } = scripted([tooNew]);
    await expect(watchUntil(open, () => false)).rejects.toBe(tooNew);
    expect(state.closed).toBe(1);
  });

  test('does not end a watch that has worked, whatever the reason', async () => {
    const { open } = scripted([[end], new QuarryError('config-invalid', 'A bad value.', 'Mend it.')], {
      intervalSeconds: 0.005,
    });
    const events = await watchUntil(open, endsPass(3));
    expect(events.filter((event) => event.type === 'pass-failed')).toHaveLength(1);
  });

  test('for want of vectors is followed by one that makes vectors alone', async () => {
    const failed: IndexEvent = { type: 'vectors-failed', error: broken, pending: 3 };
    const { open, asked, askedAgain } = scripted([[failed, end]]);
    await watchUntil(open, endsPass(2));
    expect(asked).toEqual([undefined, []]);
    // A model that refused a text would refuse it again, and may want to be paid for it.
    expect(askedAgain).toEqual([true, false]);
  });
});

describe('changes', () => {
  test('during a pass lead to one more pass', async () => {
    const { open, asked, refreshed, state } = scripted([[{ type: 'scan-start' }, end]]);
    await watchUntil(open, (event) => {
      if (event.type === 'scan-start') for (const uri of ['a', 'b', 'a']) state.notice({ kind: 'path', uri });
      return endsPass(2)(event);
    });
    expect(asked).toEqual([undefined, ['a', 'b']]);
    expect(refreshed.map(({ only }) => only)).toEqual(asked);
  });

  test('of settings open the project anew and look at everything', async () => {
    const folder = await temporaryFolder({ 'quarry.toml': '' });
    const file = join(folder, 'quarry.toml');
    const { open, asked, askedAgain, state } = scripted([], { settingsFiles: [file] });
    const events = await watchUntil(open, (event) => {
      if (event.type === 'pass-end' && event.pass === 1) void writeFile(file, 'preset = "code"\n');
      return endsPass(2)(event);
    });
    expect(events).toContainEqual({ type: 'settings-changed', files: [file] });
    expect(state.opened).toBe(2);
    expect(asked).toEqual([undefined, undefined]);
    expect(askedAgain).toEqual([true, true]);
  });
});

describe('what cannot be watched', () => {
  test('is told once and scanned more often', async () => {
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
    for await (const event of watchFiles(refusing, { signal: stop.signal, timing: often })) {
      events.push(event);
      if (endsPass(3)(event)) stop.abort();
    }
    expect(events.filter((event) => event.type === 'watch-degraded')).toEqual([
      {
        type: 'watch-degraded',
        folders: 3,
        reason: 'too many',
        remedy: 'Raise the limit.',
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
    const events = await watchUntil(silent, endsPass(1));
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'watch-degraded', reason: 'its source tells of no changes' }),
    );
  });
});

test('whoever leaves the loop closes what the watch held open', async () => {
  const { open, state } = scripted([]);
  for await (const event of watchFiles(open, { timing })) if (event.type === 'pass-end') break;
  expect(state).toMatchObject({ opened: 1, closed: 1 });
});
