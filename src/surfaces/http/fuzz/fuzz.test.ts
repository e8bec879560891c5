import { expect, test } from 'vitest';
import { draws } from '../../../../test/property-draws.ts';
import { faultsIn, fuzz } from './fuzz.fixture.ts';
import { startTarget } from './fuzz-server.fixture.ts';

/** Well above what longer runs end with: 400 MiB after 20,000 requests, 453 after 100,000. */
const maxMemory = 700 * 1024 * 1024;

/** As many as somebody wants to wait for: a hundred thousand take a quarter of an hour. */
const requests = Number(process.env.QUARRY_FUZZ_REQUESTS ?? draws(3000));
const timeout = Math.max(600_000, requests * 50);

test('thousands of malformed requests bring nothing down, tell nothing, fill no memory, and find no defect', {
  timeout,
}, async () => {
  const { target, state, answers, end } = await startTarget();
  const report = await fuzz(target, { requests, seed: 7 });
  const { failures, crashes, memory } = await state();
  expect(faultsIn(report, failures)).toEqual([]);
  expect(report.leaks).toEqual([]);
  expect(report.answers.size).toBeGreaterThan(5);
  expect(crashes).toEqual([]);
  expect(memory).toBeLessThan(maxMemory);
  expect(await answers()).toBe(true);
  await end();
});
