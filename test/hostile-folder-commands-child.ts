import { runCommandLine } from '../src/surfaces/cli/command-line.ts';

/*
 * Runs the commands of its argument, each in its folder and one after the other: in one process, since most of the time of a
 * command is its start. It prints a line when one has ended, and ends by itself: nothing that a command opened may keep it.
 */

const asked = JSON.parse(process.argv[2] ?? '[]') as { folder: string; words: string[] }[];
for (const { folder, words } of asked) {
  process.chdir(folder);
  const code = await runCommandLine(words);
  process.stdout.write(`\nended: ${words.join(' ')} (${code})\n`);
}
