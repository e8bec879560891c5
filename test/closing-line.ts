import type { Reporter, TestModule } from 'vitest/node';

/** Ends the run with one plain line that any tool can read: `12 passed, 0 failed, 1 skipped`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === 'pending' ? 'failed' : state] += 1;
      }
      // A module that could not be loaded has no tests to fail.
      if (module.errors().length > 0) counts.failed += 1;
    }
    process.stdout.write(`\nTEST_TURN=${process.env.TEST_TURN} tries the same samples again.\n`);
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  }
}
