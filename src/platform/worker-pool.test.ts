import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { createWorkerPool, wasCutShort } from './worker-pool.ts';

interface Task {
  readonly do: 'double' | 'fail' | 'crash' | 'hang' | 'exhaust' | 'grow' | 'map' | 'join';
  readonly number?: number;
}

const threadSource = `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', (task) => {
  if (task.do === 'double') parentPort.postMessage({ value: task.number * 2 });
  if (task.do === 'fail') parentPort.postMessage({ failure: 'cannot do that' });
  if (task.do === 'crash') setImmediate(() => { throw new Error('thread broke'); });
  if (task.do === 'hang') for (;;);
  if (task.do === 'exhaust') { const kept = []; for (;;) kept.push(new Array(100_000).fill(Math.random())); }
  if (task.do === 'grow') { const kept = []; for (;;) kept.push(kept.length * 1.5); }
  if (task.do === 'map') { const kept = new Map(); for (;;) kept.set(kept.size, kept.size); }
  if (task.do === 'join') { const joined = new Array(160).fill('x'.repeat(2 ** 20)).join(''); while (joined); }
});`;

async function pool(taskMilliseconds = 20_000) {
  const file = join(await temporaryFolder(), 'thread.mjs');
  await writeFile(file, threadSource);
  return createWorkerPool<Task, number>({
    file: pathToFileURL(file),
    threads: 2,
    workerData: undefined,
    taskMilliseconds,
    threadMegabytes: 32,
  });
}

test('gives each task its own answer, whatever the number of threads', async () => {
  const workers = await pool();
  const numbers = Array.from({ length: 50 }, (_, at) => at);
  const answers = await Promise.all(numbers.map((number) => workers.run({ do: 'double', number })));
  expect(answers).toEqual(numbers.map((number) => number * 2));
  await workers.close();
});

test.each([
  ['fail', 'cannot do that', 20_000],
  ['crash', 'thread broke', 20_000],
  ['hang', 'took longer than 3 s', 3000],
  ['exhaust', 'needed more than 32 MB of memory', 20_000],
  // Steps that go far past the bound at once.
  ['grow', 'needed more than 32 MB of memory', 20_000],
  ['map', 'needed more than 32 MB of memory', 20_000],
  ['join', 'needed more than 32 MB of memory', 20_000],
] as const)('a task that would %s loses itself and no other', async (kind, reason, milliseconds) => {
  const workers = await pool(milliseconds);
  // Threads are up before the clock of the test runs.
  await Promise.all([workers.run({ do: 'double', number: 1 }), workers.run({ do: 'double', number: 1 })]);
  const bad = workers.run({ do: kind });
  const good = [1, 2, 3].map((number) => workers.run({ do: 'double', number }));
  const error = await bad.catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'worker-failed', message: reason });
  expect(wasCutShort(error)).toBe(kind !== 'fail');
  expect(await Promise.all(good)).toEqual([2, 4, 6]);
  await workers.close();
});

test('a process that closes its threads sees their end, though an answer is still on its way', async () => {
  const file = join(await temporaryFolder(), 'thread.mjs');
  await writeFile(
    file,
    `import { parentPort, workerData } from 'node:worker_threads';
    parentPort.on('message', () => {
      parentPort.postMessage({ value: 1 });
      Atomics.store(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    });`,
  );
  const program = `
    const { createWorkerPool } = await import(${JSON.stringify(new URL('./worker-pool.ts', import.meta.url).href)});
    const workerData = new Int32Array(new SharedArrayBuffer(4));
    const file = new URL(${JSON.stringify(pathToFileURL(file).href)});
    const pool = createWorkerPool({ file, workerData, threads: 1, taskMilliseconds: 60_000, threadMegabytes: 32 });
    pool.run({}).catch(() => undefined);
    Atomics.wait(workerData, 0, 0);
    await pool.close();
    console.log('closed');`;
  const words = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  expect(stdout).toBe('closed\n');
});

test('closing stops what is under way, what waits and what comes later, and blames none of it', async () => {
  const workers = await pool();
  const begun = Array.from({ length: 5 }, () => workers.run({ do: 'hang' }).catch((thrown) => thrown));
  await workers.close();
  const late = workers.run({ do: 'double', number: 1 }).catch((thrown) => thrown);
  for (const error of await Promise.all([...begun, late])) {
    expect(error).toMatchObject({ code: 'interrupted' });
    expect(wasCutShort(error)).toBe(false);
  }
});

test('names what to raise when a task needs more time or memory', async () => {
  const file = join(await temporaryFolder(), 'thread.mjs');
  await writeFile(file, threadSource);
  const workers = createWorkerPool<Task, number>({
    file: pathToFileURL(file),
    threads: 1,
    workerData: undefined,
    taskMilliseconds: 3000,
    threadMegabytes: 32,
    remedies: { time: 'Give it more time.', memory: 'Give it more memory.' },
  });
  await expect(workers.run({ do: 'hang' })).rejects.toMatchObject({ remedy: 'Give it more time.' });
  await expect(workers.run({ do: 'exhaust' })).rejects.toMatchObject({ remedy: 'Give it more memory.' });
  await expect(workers.run({ do: 'fail' })).rejects.toMatchObject({
    remedy: expect.stringContaining('mend it'),
  });
  await workers.close();
});

test('a bounded map keeps at most so many items under way and reports each one', async () => {
  let running = 0;
  let most = 0;
  const seen: string[] = [];
  const work = async (item: number) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    if (item === 3) throw new TypeError('three');
    return item * 10;
  };
  for await (const outcome of mapConcurrently([1, 2, 3, 4, 5], 2, work)) {
    seen.push('error' in outcome ? `failed ${outcome.item}` : `${outcome.item}: ${outcome.value}`);
  }
  expect(most).toBe(2);
  expect(seen.sort()).toEqual(['1: 10', '2: 20', '4: 40', '5: 50', 'failed 3']);
});

test('a bounded map keeps heavy items apart, and works on one that is too heavy alone', async () => {
  const running: number[] = [];
  const seen: number[][] = [];
  const work = async (item: number) => {
    running.push(item);
    seen.push([...running]);
    await new Promise(setImmediate);
    running.splice(running.indexOf(item), 1);
  };
  const weighing = { most: 10, weightOf: (item: number) => item };
  for await (const _ of mapConcurrently([4, 5, 6, 99, 1, 2, 3], 3, work, weighing));
  expect(seen).toHaveLength(7);
  for (const together of seen)
    if (together.length > 1) expect(together.reduce((a, b) => a + b)).toBeLessThanOrEqual(10);
  expect(seen).toContainEqual([99]);
  expect(seen).toContainEqual([1, 2, 3]);
});

test('threads that rest are started again when there is work', async () => {
  const workers = await pool();
  await workers.rest();
  expect(await workers.run({ do: 'double', number: 1 })).toBe(2);
  const [, answer] = await Promise.all([workers.rest(), workers.run({ do: 'double', number: 2 })]);
  expect(answer).toBe(4);
  await workers.rest();
  expect(await workers.run({ do: 'double', number: 3 })).toBe(6);
  await workers.close();
});
