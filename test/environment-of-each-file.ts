import { afterAll, vi } from 'vitest';

// One process runs file after file: the next one finds the environment as it was, its home too.
afterAll(() => {
  vi.unstubAllEnvs();
});
