import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

test('a file whose process ends in the midst of it is named, with how it ended and the test without an outcome', async () => {
  const program = here('../node_modules/vitest/vitest.mjs');
  const folder = await temporaryFolder({
    'vitest.config.ts': `import ClosingLine from '${here('./closing-line.ts')}';
      import { notedProcesses } from '${here('./noted-processes.ts')}';
      export default { test: { pool: notedProcesses, reporters: [new ClosingLine()], globals: true } };`,
    'whole.test.ts': "test('passes', () => {});",
    'part.test.ts':
      "test('ends it', () => { process.kill(process.pid, 'SIGKILL'); return new Promise(() => {}); });",
  });
  const { code, stdout } = await new Promise<{ code: number | null; stdout: string }>((resolve) => {
    const words = [program, 'run', '--root', folder];
    const child = execFile(process.execPath, words, (_, printed) =>
      resolve({ code: child.exitCode, stdout: printed }),
    );
  });
  expect(stdout).toContain(
    'Never finished: part.test.ts (signal SIGKILL, first test without an outcome: ends it)',
  );
  expect(stdout).toContain('\n1 passed, 1 failed, 0 skipped\n');
  expect(code).toBe(1);
});
