import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createThreadPool } from './threads.ts';

/** A pool whose threads run this body with `job` and `answer` at hand. */
function poolOf(body: string) {
  const script = `import { parentPort } from 'node:worker_threads';
    const answer = (value) => parentPort.postMessage(value);
    parentPort.on('message', (job) => { ${body} });`;
  return createThreadPool<unknown, unknown>(
    new URL(`data:text/javascript,${encodeURIComponent(script)}`),
    64,
  );
}

test('answers many jobs at once, each with its own answer', async () => {
  const pool = poolOf('answer(job * 2)');
  const answers = await Promise.all([1, 2, 3, 4, 5].map((job) => pool.run(job, [], 10_000)));
  expect(answers).toEqual([2, 4, 6, 8, 10]);
});

test('ends a thread that loops forever and goes on with a new one', async () => {
  const pool = poolOf('while (job === "loop"); answer("done")');
  await expect(pool.run('loop', [], 300)).rejects.toThrow('out of time');
  expect(await pool.run('work', [], 10_000)).toBe('done');
});

test('survives a thread that runs out of memory', async () => {
  const pool = poolOf(
    'const all = []; while (job === "fill") all.push(new Array(100_000).fill(job)); answer("done")',
  );
  await expect(pool.run('fill', [], 60_000)).rejects.toThrow(/memory/);
  expect(await pool.run('work', [], 10_000)).toBe('done');
});

test('survives a thread that dies in a job, without a word, or after its answer', async () => {
  const pool = poolOf(
    'if (job === "throw") throw new Error("bad"); if (job === "leave") process.exit(); ' +
      'answer("done"); if (job === "late") throw new Error("too late")',
  );
  await expect(pool.run('throw', [], 10_000)).rejects.toThrow('bad');
  await expect(pool.run('leave', [], 10_000)).rejects.toThrow('the thread that read it ended');
  expect(await pool.run('late', [], 10_000)).toBe('done');
});

test('lets the program end while its threads wait for work', async () => {
  const program = `
    import { createThreadPool } from ${JSON.stringify(new URL('./threads.ts', import.meta.url))};
    const script = 'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => parentPort.postMessage("done"))';
    const pool = createThreadPool(new URL('data:text/javascript,' + encodeURIComponent(script)));
    process.stdout.write(await pool.run(1, [], 10_000));`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    timeout: 4000,
  });
  expect(stdout).toBe('done');
});
