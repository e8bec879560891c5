import { expect, test } from 'vitest';
import { fuzz } from './fuzz.fixture.ts';
import { startTarget } from './fuzz-server.fixture.ts';

test('two thousand malformed requests bring nothing down, tell nothing, and find no defect', async () => {
  const { running, folder, target } = await startTarget();
  const report = await fuzz(target, { requests: 2000, seed: 7 });
  expect(report.faults).toEqual([]);
  expect(report.leaks).toEqual([]);
  expect(report.answers.size).toBeGreaterThan(5);
  // A request to forget the project may have been a right one.
  const { id } = await running.client.openFolder(folder);
  const { result } = await running.client.call(id, 'search', { query: 'heron' });
  expect(result).toMatchObject({ hits: expect.any(Array) });
  target.agent.destroy();
  await running.server.end();
});
