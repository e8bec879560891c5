import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { createBoundedPool } from './bounded-pool.ts';

interface Task {
  readonly do:
    | 'double'
    | 'look'
    | 'name'
    | 'wait'
    | 'fail'
    | 'full'
    | 'crash'
    | 'exit'
    | 'hang'
    | 'exhaust'
    | 'grow'
    | 'map'
    | 'join';
  readonly number?: number;
}

const serving = JSON.stringify(new URL('./serve-calls.ts', import.meta.url).href);
const threadSource = `
import { setTimeout } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { serveInTurn } from ${serving};
serveInTurn(async (task) => {
  if (task.do === 'double') return { value: task.number * 2 };
  if (task.do === 'look') return { value: Date.now() };
  if (task.do === 'name') return { value: threadId };
  if (task.do === 'wait') { await setTimeout(task.number); return { value: task.number }; }
  if (task.do === 'fail') throw new Error('cannot do that');
  if (task.do === 'full') throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  if (task.do === 'crash') setImmediate(() => { throw new Error('thread broke'); });
  if (task.do === 'exit') process.exit(7);
  if (task.do === 'hang') for (;;);
  if (task.do === 'exhaust') { const kept = []; for (;;) kept.push(new Array(100_000).fill(Math.random())); }
  if (task.do === 'grow') { const kept = []; for (;;) kept.push(kept.length * 1.5); }
  if (task.do === 'map') { const kept = new Map(); for (;;) kept.set(kept.size, kept.size); }
  if (task.do === 'join') { const joined = new Array(160).fill('x'.repeat(2 ** 20)).join(''); while (joined); }
  return new Promise(() => {});
});`;
const remedies = { time: 'Give it more time.', memory: 'Give it more memory.', crash: 'Mend it.' };

async function pool(taskMilliseconds = 20_000) {
  const file = join(await temporaryFolder(), 'thread.mjs');
  await writeFile(file, threadSource);
  return createBoundedPool<Task, number>({
    file: pathToFileURL(file),
    threads: 2,
    taskMilliseconds,
    threadMegabytes: 32,
    remedies,
  });
}

test('gives each task its own answer, whatever the number of threads', async () => {
  const workers = await pool();
  const numbers = Array.from({ length: 50 }, (_, at) => at);
  const answers = await Promise.all(numbers.map((number) => workers.run({ do: 'double', number })));
  expect(answers).toEqual(numbers.map((number) => number * 2));
  await workers.close();
});

test('tasks that may have one thread start no other, and hold up none that may have all', async () => {
  const workers = await pool();
  const one = { bytes: 10, transfer: [], threads: 1 };
  const names = await Promise.all(Array.from({ length: 30 }, () => workers.run({ do: 'name' }, one)));
  expect(new Set(names).size).toBe(1);
  // More of them than the thread takes ahead wait for it; the other one works meanwhile.
  const slow = Array.from({ length: 12 }, () => workers.run({ do: 'wait', number: 100 }, one));
  const others = Array.from({ length: 30 }, () => workers.run({ do: 'name' }));
  const theirs = await Promise.race([Promise.all(others), Promise.all(slow).then(() => [])]);
  expect(theirs.length).toBe(30);
  expect(await Promise.all(slow)).toEqual(slow.map(() => 100));
  await workers.close();
});

const needsMemory = [
  'worker-failed',
  'It needed more than 32 MB of memory.',
  'Give it more memory.',
] as const;

test.each([
  ['fail', 'internal', 'cannot do that', 'Report this with the command that led to it.', 20_000],
  [
    'full',
    'machine-failed',
    'The machine failed: too many open files.',
    expect.stringContaining('ulimit -n'),
    20_000,
  ],
  ['crash', 'worker-failed', 'It broke its thread: thread broke.', 'Mend it.', 20_000],
  [
    'exit',
    'machine-failed',
    'A thread stopped: it ended with code 7.',
    expect.stringContaining('again'),
    20_000,
  ],
  ['hang', 'worker-failed', 'It took longer than 3 s.', 'Give it more time.', 3000],
  ['exhaust', ...needsMemory, 20_000],
  // Steps that go far past the bound at once.
  ['grow', ...needsMemory, 20_000],
  ['map', ...needsMemory, 20_000],
  ['join', ...needsMemory, 20_000],
] as const)('a task that would %s loses itself and no other, and says why', async (kind, ...expected) => {
  const [code, message, remedy, milliseconds] = expected;
  const workers = await pool(milliseconds);
  // Threads are up before the clock of the test runs.
  await Promise.all([workers.run({ do: 'double', number: 1 }), workers.run({ do: 'double', number: 1 })]);
  const bad = workers.run({ do: kind });
  const good = [1, 2, 3].map((number) => workers.run({ do: 'double', number }));
  await expect(bad).rejects.toMatchObject({ code, message, remedy });
  expect(await Promise.all(good)).toEqual([2, 4, 6]);
  await workers.close();
});

test('a task has its whole time, however long those before it in its thread took', async () => {
  const workers = await pool(5000);
  await Promise.all([workers.run({ do: 'double', number: 1 }), workers.run({ do: 'double', number: 1 })]);
  const waits = Array.from({ length: 4 }, () => workers.run({ do: 'wait', number: 3000 }));
  expect(await Promise.all(waits)).toEqual([3000, 3000, 3000, 3000]);
  await workers.close();
});

test('threads go on with small tasks while this process is busy', async () => {
  const workers = await pool();
  await Promise.all([workers.run({ do: 'double', number: 1 }), workers.run({ do: 'double', number: 1 })]);
  const moments = Array.from({ length: 16 }, () => workers.run({ do: 'look' }));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
  const isFree = Date.now();
  for (const moment of await Promise.all(moments)) expect(moment).toBeLessThan(isFree);
  await workers.close();
});

test('a task that is done is not blamed for what comes after it while nobody listens', async () => {
  const workers = await pool(3000);
  await Promise.all([workers.run({ do: 'double', number: 1 }), workers.run({ do: 'double', number: 1 })]);
  const good = [1, 2].map((number) => workers.run({ do: 'double', number }));
  const bad = [1, 2].map(() => workers.run({ do: 'crash' }));
  // This process is busy for longer than a task may take.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3200);
  const broken = { status: 'rejected', reason: { message: 'It broke its thread: thread broke.' } };
  const done = (value: number) => ({ status: 'fulfilled', value });
  expect(await Promise.allSettled([...good, ...bad])).toMatchObject([done(2), done(4), broken, broken]);
  await workers.close();
});

test('a large task moves to its thread, and waits until one is free', async () => {
  const workers = await pool();
  const large = (task: Task) => {
    const buffer = new ArrayBuffer(100_000);
    return { buffer, answer: workers.run(task, { bytes: buffer.byteLength, transfer: [buffer] }) };
  };
  const bad = Promise.allSettled([workers.run({ do: 'crash' }), workers.run({ do: 'crash' })]);
  const good = [1, 2].map((number) => large({ do: 'double', number }));
  const broken = { status: 'rejected', reason: { code: 'worker-failed' } };
  expect(await bad).toMatchObject([broken, broken]);
  expect(await Promise.all(good.map(({ answer }) => answer))).toEqual([2, 4]);
  expect(good.map(({ buffer }) => buffer.byteLength)).toEqual([0, 0]);
  await workers.close();
});

test('a thread that cannot even start is a failure of the machine', async () => {
  const file = join(await temporaryFolder(), 'thread.mjs');
  await writeFile(file, `throw new Error('no such thing');`);
  const workers = createBoundedPool<Task, number>({
    file: pathToFileURL(file),
    threads: 1,
    taskMilliseconds: 20_000,
    threadMegabytes: 32,
    remedies,
  });
  await expect(workers.run({ do: 'double' })).rejects.toMatchObject({ code: 'machine-failed' });
  await writeFile(file, threadSource);
  expect(await workers.run({ do: 'double', number: 4 })).toBe(8);
  await workers.close();
});

test('a process that closes its threads sees their end, though an answer is still on its way', async () => {
  const file = join(await temporaryFolder(), 'thread.mjs');
  await writeFile(
    file,
    `import { parentPort, workerData } from 'node:worker_threads';
    parentPort.on('message', ({ id }) => {
      parentPort.postMessage({ type: 'value', id, value: 1 });
      Atomics.store(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    });`,
  );
  const program = `
    const { createBoundedPool } = await import(${JSON.stringify(new URL('./bounded-pool.ts', import.meta.url).href)});
    const data = new Int32Array(new SharedArrayBuffer(4));
    const file = new URL(${JSON.stringify(pathToFileURL(file).href)});
    const pool = createBoundedPool({ file, data, threads: 1, taskMilliseconds: 60_000, threadMegabytes: 32, remedies: {} });
    pool.run({}).catch(() => undefined);
    Atomics.wait(data, 0, 0);
    await pool.close();
    console.log('closed');`;
  const words = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  expect(stdout).toBe('closed\n');
});

test('a pool that is idle keeps no process alive, whatever its tasks print, and one at work does', async () => {
  const file = join(await temporaryFolder(), 'thread.mjs');
  await writeFile(
    file,
    `import { serveInTurn } from ${serving};
    serveInTurn(async ({ lines }) => {
      for (let line = 0; line < lines; line += 1) { console.log('noise '.repeat(1000)); console.error('noise'); }
      return { value: lines };
    });`,
  );
  const program = `
    const { createBoundedPool } = await import(${JSON.stringify(new URL('./bounded-pool.ts', import.meta.url).href)});
    const file = new URL(${JSON.stringify(pathToFileURL(file).href)});
    const pool = createBoundedPool({ file, threads: 2, taskMilliseconds: 60_000, threadMegabytes: 32, remedies: {} });
    pool.run({ lines: 10 });
    pool.run({ lines: 20_000 }).then((lines) => console.log(lines));
    // Only ends what hangs.
    setTimeout(() => { console.log('still alive: ' + process.getActiveResourcesInfo()); process.exit(1); }, 60_000).unref();`;
  const words = ['--input-type=module', '--eval', program];
  expect(await promisify(execFile)(process.execPath, words)).toEqual({ stdout: '20000\n', stderr: '' });
});

test('closing stops what is under way, what waits and what comes later, and blames none of it', async () => {
  const workers = await pool();
  const begun = Array.from({ length: 5 }, () => workers.run({ do: 'hang' }).catch((thrown) => thrown));
  await workers.close();
  const late = workers.run({ do: 'double', number: 1 }).catch((thrown) => thrown);
  for (const error of await Promise.all([...begun, late])) {
    expect(error).toMatchObject({ code: 'interrupted' });
  }
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

test('an idle thread of a closed pool serves the next one of the same file and bounds, and no other', async () => {
  const file = join(await temporaryFolder(), 'thread.mjs');
  await writeFile(file, threadSource);
  const open = (threadMegabytes = 32) =>
    createBoundedPool<Task, number>({
      file: pathToFileURL(file),
      threads: 1,
      taskMilliseconds: 20_000,
      threadMegabytes,
      remedies,
    });
  const nameIn = async (workers: ReturnType<typeof open>) => {
    const name = await workers.run({ do: 'name' });
    await workers.close();
    return name;
  };
  const first = await nameIn(open());
  const [one, other] = [open(), open()];
  // Two at once have a thread each.
  const names = await Promise.all([one.run({ do: 'name' }), other.run({ do: 'name' })]);
  expect(names[0]).toBe(first);
  expect(names[1]).not.toBe(first);
  await Promise.all([one.close(), other.close()]);
  expect(names).not.toContain(await nameIn(open(64)));
});

test('a thread that is at work when its pool is closed serves no other, and neither does one that broke', async () => {
  const file = join(await temporaryFolder(), 'thread.mjs');
  await writeFile(file, threadSource);
  const used: number[] = [];
  for (const kind of ['hang', 'crash', 'double'] as const) {
    const workers = createBoundedPool<Task, number>({
      file: pathToFileURL(file),
      threads: 1,
      taskMilliseconds: 20_000,
      threadMegabytes: 32,
      remedies,
    });
    const name = await workers.run({ do: 'name' });
    expect(used).not.toContain(name);
    used.push(name);
    const last = workers.run({ do: kind, number: 1 }).catch((thrown) => thrown);
    if (kind !== 'hang') await last;
    await workers.close();
  }
});

test('a thread that waits for another pool keeps no process alive', async () => {
  const file = join(await temporaryFolder(), 'thread.mjs');
  await writeFile(file, threadSource);
  const program = `
    const { createBoundedPool } = await import(${JSON.stringify(new URL('./bounded-pool.ts', import.meta.url).href)});
    const file = new URL(${JSON.stringify(pathToFileURL(file).href)});
    const pool = createBoundedPool({ file, threads: 1, taskMilliseconds: 60_000, threadMegabytes: 32, remedies: {} });
    await pool.run({ do: 'look' });
    await pool.close();
    const closed = performance.now();
    process.on('exit', () => console.log(performance.now() - closed < 4000 ? 'at once' : 'late'));`;
  const words = ['--input-type=module', '--eval', program];
  expect(await promisify(execFile)(process.execPath, words)).toMatchObject({ stdout: 'at once\n' });
});
