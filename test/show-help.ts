import { runCommandLine } from '../src/surfaces/cli/command-line.ts';

/** Runs a command line in this process, as `loaded-modules.mjs` calls it. */
export default async function showHelp(...words: string[]): Promise<void> {
  await runCommandLine(words);
}
