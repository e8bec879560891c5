import { catalogue, loadOperation } from '../src/operations/catalogue.ts';
import { runCommandLine } from '../src/surfaces/cli/command-line.ts';
import { shapeOf } from '../src/surfaces/cli/commands/flags.ts';
import { parseWords } from '../src/surfaces/cli/commands/parse-words.ts';
import { loadRenderer } from '../src/surfaces/cli/renderers.ts';
import { createProgress } from '../src/surfaces/cli/terminal/progress.ts';

/** Runs a command line that needs no project; without words, loads all that parses and renders every operation. */
export default async function useFront(...words: string[]): Promise<void> {
  if (words.length > 0) {
    await runCommandLine(words);
    return;
  }
  for (const entry of catalogue) {
    const operation = await loadOperation(entry);
    parseWords(shapeOf(operation), ['--help']);
    const { createProgress: own, render } = await loadRenderer(entry.name);
    if (!(own ?? createProgress) || !render) throw new TypeError(`nothing renders ${entry.name}`);
  }
}
