import { defineOperation } from '../operation.ts';
import { indexOperation } from './index-project.ts';

const { input, output, events, streams, exitCode } = indexOperation;
/** As the run of `index` itself, but for the whole folder: commits are not those of a part of it. */
const whole = {
  effect: 'writes' as const,
  // Only the user of this machine may have a program run on a folder of it.
  reach: 'machine' as const,
  input: input.omit({ paths: true }),
  output,
  ...(events && { events }),
  ...(streams && { streams }),
  ...(exitCode && { exitCode }),
};

/** Agrees that git reads the commits of the folder, and indexes them with the files. */
export const historyAllowOperation = defineOperation({
  ...whole,
  examples: [{ input: {}, explains: 'index the commits of this folder too, from now on' }],
  async *run(project, given, options) {
    await project.history.allow(true, options.signal && { signal: options.signal });
    return yield* indexOperation.run(project, { ...given, paths: [] }, options);
  },
});

/** Takes that back, and removes what was indexed of them. */
export const historyWithdrawOperation = defineOperation({
  ...whole,
  examples: [{ input: {}, explains: 'forget the commits, and run git here no more' }],
  async *run(project, given, options) {
    await project.history.allow(false, options.signal && { signal: options.signal });
    return yield* indexOperation.run(project, { ...given, paths: [] }, options);
  },
});
