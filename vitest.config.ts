import { defineConfig } from 'vitest/config';

/** Folders whose tests leave nothing behind in their process: one process runs file after file, and loads modules once. */
const sharing = ['src/{core,drivers,embedding,evaluation,indexing,models,operations,retrieval}/**/*.test.ts'];
const all = ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['./test/one-temporary-folder.ts'],
    reporters: ['default', './test/closing-line.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts', 'src/**/*.fixture.ts'],
      reporter: ['text-summary', 'text'],
    },
    projects: [
      { extends: true, test: { name: 'alone', include: all, exclude: sharing } },
      { extends: true, test: { name: 'sharing', include: sharing, isolate: false } },
    ],
  },
});
