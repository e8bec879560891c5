import { afterEach, expect, test, vi } from 'vitest';
import { processEnvironment } from '../platform/environment.ts';
import { environmentName } from './build.ts';

afterEach(() => vi.unstubAllEnvs());

test('a shell with a token for a server elsewhere is served by the same engine as one without', () => {
  const before = environmentName(processEnvironment);
  vi.stubEnv('QUARRY_TOKEN', 'quarry_1_secret');
  expect(environmentName(processEnvironment)).toBe(before);
  vi.stubEnv('QUARRY_SEARCH_TOP_K', '3');
  expect(environmentName(processEnvironment)).not.toBe(before);
});
