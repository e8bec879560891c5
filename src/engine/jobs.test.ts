import { expect, test } from 'vitest';
import { createJobs } from './jobs.ts';

const what = { project: 'docs', folder: '/srv/docs', operation: 'search', reach: 'project' } as const;
const job = (result: unknown) =>
  // biome-ignore lint/correctness/useYield: it emits nothing on its way.
  async function* () {
    return result;
  };

test('results are kept up to a number of characters, the latest ones', async () => {
  const jobs = createJobs({ characters: 1000, running: 4, ofCaller: 4 });
  const ids: string[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const { id } = jobs.start(what, job('x'.repeat(300)));
    ids.push(id);
    await expect.poll(() => jobs.get(id)?.state).toBe('done');
  }
  expect(jobs.list().map(({ id }) => id)).toEqual(ids.slice(-3));
});

test('a result that is larger than all of them is not kept, which its job says', async () => {
  const jobs = createJobs({ characters: 1000, running: 4, ofCaller: 4 });
  const { id } = jobs.start(what, job('x'.repeat(2000)));
  await expect
    .poll(() => jobs.get(id))
    .toMatchObject({ state: 'failed', error: { code: 'request-too-large' } });
  expect(jobs.get(id)?.result).toBeUndefined();
});

test('only so many run at the same time', async () => {
  const jobs = createJobs({ characters: 1000, running: 2, ofCaller: 2 });
  const { promise, resolve } = Promise.withResolvers<void>();
  // biome-ignore lint/correctness/useYield: it emits nothing on its way.
  const waiting = async function* () {
    await promise;
  };
  jobs.start(what, waiting);
  jobs.start(what, waiting);
  expect(() => jobs.start(what, waiting)).toThrow(expect.objectContaining({ code: 'request-limited' }));
  resolve();
  await expect.poll(() => jobs.isBusy()).toBe(false);
  jobs.start(what, waiting);
});

test('one caller leaves places to others, and gets its own back', async () => {
  const jobs = createJobs({ characters: 1000, running: 4, ofCaller: 2 });
  const { promise, resolve } = Promise.withResolvers<void>();
  // biome-ignore lint/correctness/useYield: it emits nothing on its way.
  const waiting = async function* () {
    await promise;
  };
  const start = (caller?: string) => jobs.start({ ...what, ...(caller && { caller }) }, waiting);
  const first = start('reader');
  start('reader');
  expect(() => start('reader')).toThrow(expect.objectContaining({ code: 'request-limited' }));
  start('other');
  // The user of the machine is bound by the places alone.
  start();
  resolve();
  await expect.poll(() => jobs.get(first.id)?.state).toBe('done');
  start('reader');
});
