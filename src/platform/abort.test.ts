import { describe, expect, test } from 'vitest';
import { onAbort, unlessAborted } from './abort.ts';

describe('work with a signal', () => {
  test('is not begun where the signal is aborted already', async () => {
    let isBegun = false;
    const work = async () => {
      isBegun = true;
    };
    await expect(unlessAborted(work, AbortSignal.abort())).rejects.toMatchObject({ code: 'interrupted' });
    expect(isBegun).toBe(false);
  });

  test('is no longer waited for when the signal is aborted', async () => {
    const controller = new AbortController();
    const waiting = unlessAborted(() => new Promise<never>(() => {}), controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
  });

  test('gives its value or its failure otherwise', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(async () => 1, signal)).toBe(1);
    expect(await unlessAborted(async () => 2, undefined)).toBe(2);
    await expect(unlessAborted(() => Promise.reject(new Error('full')), signal)).rejects.toThrow('full');
  });
});

test('a listener is called once, also for a signal that is aborted already, and not after it was removed', () => {
  const calls: string[] = [];
  onAbort(AbortSignal.abort(), () => calls.push('late'));
  const controller = new AbortController();
  onAbort(controller.signal, () => calls.push('removed'))();
  onAbort(controller.signal, () => calls.push('present'));
  controller.abort();
  controller.abort();
  expect(calls).toEqual(['late', 'present']);
});
