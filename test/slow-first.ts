import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest one of all: what needs the browser. */
const slowest = /\/test\/page\/browser\./;
/** Tests that start processes or servers, or wait for them. */
const slow = /\/test\/[^/]+$|\/src\/drivers\/stores\/(chroma|lancedb|remote)\//;

/** Runs slow files before quick ones: at the end of a run no worker waits long for another one's last file. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turnOf = ({ moduleId }: TestSpecification): number =>
      slowest.test(moduleId) ? 0 : slow.test(moduleId) ? 1 : 2;
    // Equal ones stay in the order that they have.
    return (await super.sort(files)).sort((one, other) => turnOf(one) - turnOf(other));
  }
}
