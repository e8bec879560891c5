import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { IndexEvent } from '../../core/events.ts';
import { calm, end, endsPass, scan, scripted, watchUntil } from './scripted-watch.fixture.ts';
import { defaultTiming } from './watch-timing.ts';

const minute = 60_000;
const waiting: IndexEvent = { type: 'index-waiting' };
const loading: IndexEvent = { type: 'model-loading', name: 'm' };
const change = { kind: 'path', uri: 'app.log', contentOnly: true } as const;

describe('a path that changes again right after its pass', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  /** Milliseconds until it is looked at again, after a pass that lasts a minute between the two parts of what it tells. */
  async function restAfter(before: readonly IndexEvent[], after: readonly IndexEvent[]): Promise<number> {
    async function* long(): AsyncGenerator<IndexEvent> {
      yield* before;
      await new Promise((resolve) => setTimeout(resolve, minute));
      yield* after;
    }
    const { target, asked, state } = scripted([calm, long]);
    const changed = { at: 0, taken: 0 };
    const watching = watchUntil(
      target,
      (event) => {
        if (endsPass(1)(event)) state.notice(change);
        if (endsPass(2)(event)) {
          changed.at = performance.now();
          state.notice(change);
        }
        if (event.type === 'pass-start') changed.taken = performance.now();
        return endsPass(3)(event);
      },
      defaultTiming,
    );
    await vi.advanceTimersByTimeAsync(10 * minute);
    await watching;
    expect(asked).toEqual([undefined, ['app.log'], ['app.log']]);
    return changed.taken - changed.at;
  }

  test('rests where it took long to take in', async () => {
    expect(await restAfter(scan, [end])).toBe(defaultTiming.maxRest);
  });

  test('rests where it took long to take in after a wait', async () => {
    expect(await restAfter([waiting, ...scan], [end])).toBe(defaultTiming.maxRest);
  });

  test('does not rest where its pass waited for another process before it began', async () => {
    expect(await restAfter([waiting], calm)).toBe(defaultTiming.quiet);
  });

  test('does not rest where its pass waited for the vectors of another process', async () => {
    expect(await restAfter([...scan, waiting], [end])).toBe(defaultTiming.quiet);
  });

  test('does not rest where its pass made vectors', async () => {
    expect(await restAfter([...scan, loading], [end])).toBe(defaultTiming.quiet);
  });
});
