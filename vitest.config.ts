import { fileURLToPath } from 'node:url';
import { defaultExclude, defineConfig } from 'vitest/config';
import ClosingLine from './test/closing-line.ts';
import { leanWasm } from './test/lean-wasm.ts';
import { notedProcesses } from './test/noted-processes.ts';
import { SlowFirst } from './test/slow-first.ts';

/** What `npm run test:platforms` runs. */
export const platformTests = ['test/{arm64,platform-binaries,windows}.test.ts'];
export const all = ['src', 'test', 'bench', 'web'].map((folder) => `${folder}/**/*.test.ts`);

/** What examples import is tested from its source. */
const alias = [
  { find: /^quarry$/, replacement: fileURLToPath(new URL('./src/index.ts', import.meta.url)) },
  {
    find: /^quarry\/(ai-sdk|langchain|langgraph|llamaindex)$/,
    replacement: fileURLToPath(new URL('./src/adapters/$1/index.ts', import.meta.url)),
  },
];

export default defineConfig({
  resolve: { alias },
  test: {
    globalSetup: ['./test/one-temporary-folder.ts', './test/shared-servers.ts'],
    setupFiles: ['./test/environment-of-each-file.ts'],
    reporters: ['default', new ClosingLine()],
    // Far above what any test takes, also on a machine that is shared and slow: it only ends what hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: notedProcesses,
    // What a test waits for comes when the machine has time: one second, as it is by default, is too short for that.
    expect: { poll: { timeout: 60_000 } },
    execArgv: leanWasm,
    // More than there are cores: half of the time a test waits, for a server, a process or a timer.
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts', 'src/**/*.fixture.ts'],
      reporter: ['text-summary', 'text'],
    },
    // Tests leave nothing behind in their process: one runs file after file, and loads modules once.
    isolate: false,
    include: all,
    exclude: [...defaultExclude, ...platformTests],
    // The next run loads what this one has transformed.
    experimental: { fsModuleCache: true },
  },
});
