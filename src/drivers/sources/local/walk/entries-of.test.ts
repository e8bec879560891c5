import { describe, expect, test } from 'vitest';
import { entriesOf } from './entries-of.ts';

async function* batches(...given: number[][]): AsyncGenerator<readonly number[]> {
  yield* given;
}

async function collect(entries: AsyncIterable<number>): Promise<number[]> {
  const collected: number[] = [];
  for await (const entry of entries) collected.push(entry);
  return collected;
}

describe('entriesOf', () => {
  test('gives every entry in order, and passes over empty batches', async () => {
    expect(await collect(entriesOf(batches([], [1, 2], [], [3], []), undefined))).toEqual([1, 2, 3]);
    expect(await collect(entriesOf(batches(), undefined))).toEqual([]);
  });

  test('closes the batches when it is left early, and has nothing more to give', async () => {
    let closed = false;
    const endless = (async function* () {
      try {
        for (;;) yield [1, 2, 3];
      } finally {
        closed = true;
      }
    })();
    const entries = entriesOf(endless, undefined);
    for await (const entry of entries) if (entry === 2) break;
    expect(closed).toBe(true);
    expect(await entries.next()).toEqual({ done: true, value: undefined });
  });

  test('stops within a batch when it is cancelled', async () => {
    const controller = new AbortController();
    const entries = entriesOf(batches([1, 2, 3]), controller.signal);
    expect(await entries.next()).toEqual({ done: false, value: 1 });
    controller.abort();
    await expect(entries.next()).rejects.toMatchObject({ code: 'interrupted' });
    expect(await entries.next()).toEqual({ done: true, value: undefined });
  });

  test('passes a failure of the batches on', async () => {
    const failing = (async function* (): AsyncGenerator<readonly number[]> {
      yield [1];
      throw new RangeError('broken');
    })();
    const entries = entriesOf(failing, undefined);
    await entries.next();
    await expect(entries.next()).rejects.toThrow('broken');
  });
});
