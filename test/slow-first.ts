import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that start processes or servers, or wait for them. */
const slow = /\/test\/[^/]+$|\/src\/drivers\/stores\/(chroma|lancedb|remote)\//;

/** Runs slow files before quick ones: at the end of a run no worker waits long for another one's last file. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isQuick = ({ moduleId, project }: TestSpecification): boolean =>
      project.name === 'sharing' && !slow.test(moduleId);
    // Equal ones stay in the order that they have.
    return (await super.sort(files)).sort((one, other) => Number(isQuick(one)) - Number(isQuick(other)));
  }
}
