import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { createSharedThreads } from './shared-threads.ts';
import { createThread } from './thread.ts';

type Request = 'thread' | 'print' | 'wait' | 'exit' | 'lacking' | 'count';

const file = join(await temporaryFolder(), 'thread.mjs');
await writeFile(
  file,
  `import { writeSync } from 'node:fs';
  import { threadId } from 'node:worker_threads';
  import { serveCalls } from ${JSON.stringify(new URL('./serve-calls.ts', import.meta.url).href)};
  serveCalls(async (request, { signal, report }) => {
    if (request === 'exit') process.exit(3);
    if (request === 'print') writeSync(2, 'as native code does');
    if (request === 'lacking') throw Object.assign(new Error('no memory'), { code: 'ENOMEM' });
    if (request === 'count') for (const step of [1, 2, 3]) report(step);
    if (request === 'wait') {
      report(0);
      await new Promise((_, reject) => {
        const stop = () => reject(Object.assign(new Error('stopped'), { name: 'AbortError' }));
        signal.addEventListener('abort', stop);
      });
    }
    return { value: [process.pid, threadId].join(' ') };
  });`,
);
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.each([
  ['a thread', false],
  ['a process in its place', true],
])('%s', (_, isProcess) => {
  const thread = createThread<Request, string, number>({ file: pathToFileURL(file), isProcess });
  afterAll(() => thread.end());

  /** A call that has begun and ends only when it is cancelled or its thread ends. */
  async function begin(signal?: AbortSignal): Promise<{ readonly ended: Promise<unknown> }> {
    const begun = Promise.withResolvers<number>();
    const call = thread.call('wait', { signal, onProgress: begun.resolve });
    await begun.promise;
    return { ended: call.catch((thrown: unknown) => thrown) };
  }

  test('a call gives its progress before its value', async () => {
    const steps: number[] = [];
    await thread.call('count', { onProgress: (step) => steps.push(step) });
    expect(steps).toEqual([1, 2, 3]);
  });

  test('a cancelled call ends and no other does; one that is cancelled before it begins is never made', async () => {
    const stop = new AbortController();
    const { ended } = await begin(stop.signal);
    const other = await begin();
    stop.abort();
    expect(await ended).toMatchObject({ code: 'interrupted' });
    expect(thread.waiting).toBe(1);
    await expect(thread.call('thread', { signal: stop.signal })).rejects.toMatchObject({
      code: 'interrupted',
    });
    await thread.end();
    expect(await other.ended).toMatchObject({ code: 'interrupted' });
  });

  test('a thread that dies fails its calls as the machine, and the next call has another thread', async () => {
    const before = await thread.call('thread');
    const { ended } = await begin();
    await expect(thread.call('exit')).rejects.toMatchObject({ code: 'machine-failed' });
    expect(await ended).toMatchObject({ code: 'machine-failed' });
    expect(await thread.call('thread')).not.toBe(before);
  });

  test('a thread in which the machine failed is replaced, once its other calls are answered', async () => {
    const before = await thread.call('thread');
    const stop = new AbortController();
    const { ended } = await begin(stop.signal);
    await expect(thread.call('lacking')).rejects.toMatchObject({
      code: 'machine-failed',
      cause: { code: 'ENOMEM' },
    });
    expect(await thread.call('thread')).not.toBe(before);
    stop.abort();
    expect(await ended).toMatchObject({ code: 'interrupted' });
  });
});

test('a process in the place of a thread prints nothing, keeps no process alive, and ends with the one that started it', async () => {
  const program = `
    const { createThread } = await import(${JSON.stringify(new URL('./thread.ts', import.meta.url).href)});
    const file = new URL(${JSON.stringify(pathToFileURL(file).href)});
    console.log(await createThread({ file, isProcess: true }).call('print'));`;
  const words = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words);
  expect(stderr).toBe('');
  await expect.poll(() => isRunning(Number.parseInt(stdout, 10))).toBe(false);
});

test('shared threads: a second one is started only when the first is at work, and closing ends all calls', async () => {
  const shared = createSharedThreads<Request, string>(2, () => ({ file: pathToFileURL(file) }));
  const first = await shared.call('thread');
  expect(await shared.call('thread')).toBe(first);
  const waiting = shared.call('wait').catch((thrown: unknown) => thrown);
  expect(await shared.call('thread')).not.toBe(first);
  await shared.close();
  expect(await waiting).toMatchObject({ code: 'interrupted' });
  await expect(shared.call('thread')).rejects.toMatchObject({ code: 'interrupted' });
});

test('shared threads: of two that are idle the one is called that was called for the same before', async () => {
  const shared = createSharedThreads<Request, string>(2, () => ({ file: pathToFileURL(file) }));
  const stop = new AbortController();
  const waiting = shared.call('wait', { signal: stop.signal, of: 'one' }).catch((thrown: unknown) => thrown);
  const second = await shared.call('thread', { of: 'other' });
  stop.abort();
  await waiting;
  expect(await shared.call('thread', { of: 'one' })).not.toBe(second);
  expect(await shared.call('thread', { of: 'other' })).toBe(second);
  await shared.close();
});
