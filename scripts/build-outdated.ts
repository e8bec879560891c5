import { spawnSync } from 'node:child_process';
import { isBuilt } from './source-hash.ts';

// Builds where the source has changed since, before the tests: they start the program hundreds of times.
if (!isBuilt()) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
}
