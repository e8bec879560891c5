import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';
import { endings } from './noted-processes.ts';

/**
 * Ends the run with one plain line that any tool can read: `12 passed, 0 failed, 1 skipped`. What was not run to its end
 * is named before it: where a process of tests has ended, nothing else says which file and which test it took along.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: TestRunEndReason): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === 'pending' ? 'failed' : state] += 1;
      }
      // A module that could not be loaded has no tests to fail.
      if (module.errors().length > 0) counts.failed += 1;
      if (reason === 'interrupted' || !['queued', 'pending'].includes(module.state())) continue;
      const [first] = module.children.allTests('pending');
      if (!first) counts.failed += 1;
      const ending = endings.get(module.moduleId) ?? 'its process was not seen to end';
      const at = first ? `, first test without an outcome: ${first.fullName}` : '';
      process.stdout.write(`\nNever finished: ${module.relativeModuleId} (${ending}${at})\n`);
    }
    process.stdout.write(`\nTEST_TURN=${process.env.TEST_TURN} tries the same samples again.\n`);
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  }
}
