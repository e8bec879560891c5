import { describe, expect, test } from 'vitest';
import { closeAll } from './close-all.ts';
import { once } from './once.ts';

describe('what is opened once', () => {
  test('is shared by all that ask', async () => {
    let count = 0;
    const shared = once(async () => ++count);
    expect(await Promise.all([shared(), shared()])).toEqual([1, 1]);
  });

  test('is tried again after it failed to open', async () => {
    const answers = [Promise.reject(new Error('busy')), Promise.resolve('open')];
    const shared = once(() => answers.shift() as Promise<string>);
    await expect(shared()).rejects.toThrow('busy');
    expect(await shared()).toBe('open');
  });

  test('is never given out again after it was closed', async () => {
    let count = 0;
    const closed: number[] = [];
    const shared = once(
      async () => ++count,
      async (value) => void closed.push(value),
    );
    await shared.close();
    await shared();
    await Promise.all([shared.close(), shared.close()]);
    expect(closed).toEqual([1]);
    expect(await shared()).toBe(2);
  });

  test('is closed even where it was still being opened', async () => {
    const opening = Promise.withResolvers<string>();
    const closed: string[] = [];
    const shared = once(
      () => opening.promise,
      async (value) => void closed.push(value),
    );
    const opened = shared();
    const closing = shared.close();
    opening.resolve('late');
    expect(await opened).toBe('late');
    await closing;
    expect(closed).toEqual(['late']);
  });

  test('closes in peace where it failed to open, and forgets no successor for it', async () => {
    const first = Promise.withResolvers<string>();
    const answers = [first.promise, Promise.resolve('second')];
    let count = 0;
    const shared = once(() => answers[count++] as Promise<string>);
    const failing = shared();
    const closing = shared.close();
    const second = shared();
    first.reject(new Error('gone'));
    await expect(failing).rejects.toThrow('gone');
    await closing;
    expect(await shared()).toBe(await second);
    expect(count).toBe(2);
  });
});

test('closing several parts settles each of them and then throws the first failure', async () => {
  const closed: string[] = [];
  const part = (name: string, failure?: Error) => ({
    close: async () => {
      closed.push(name);
      if (failure) throw failure;
    },
  });
  const parts = [part('one', new Error('stuck')), undefined, part('two')];
  await expect(closeAll(parts)).rejects.toThrow('stuck');
  expect(closed).toEqual(['one', 'two']);
});
