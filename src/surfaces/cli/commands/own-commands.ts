import { QuarryError } from '../../../core/errors.ts';
import type { Output } from '../terminal/output.ts';

/** A command of the command line itself: it is about the terminal, so that no other surface has it. */
export interface OwnCommand {
  readonly name: string;
  /** What follows the name. */
  readonly words: string;
  readonly summary: string;
  readonly example: string;
  /** Runs with the words after the name and returns the exit code. */
  run(words: readonly string[], output: Output): Promise<number>;
}

/** These commands, in the order of help. */
export const ownCommands: readonly OwnCommand[] = [
  {
    name: 'open',
    words: '<n>',
    summary: 'Open the n-th hit of the last search in your editor (VISUAL, else EDITOR).',
    example: 'quarry open 1',
    run: async (words) => (await import('../terminal/open-hit.ts')).openHit(numberIn(words)),
  },
  {
    name: 'completions',
    words: '<bash|zsh|fish>',
    summary: 'Print a script that completes commands and flags in a shell.',
    example: 'source <(quarry completions bash)',
    async run(words, output) {
      const { completionScript, shells } = await import('./completions.ts');
      const shell = shells.find((name) => name === words[0]);
      if (!shell || words.length > 1) throw usage('completions', `Name one shell: ${shells.join(', ')}.`);
      const own = ownCommands.map(({ name, summary }) => ({
        name,
        summary,
        words: name === 'completions' ? shells : [],
      }));
      output.result(await completionScript(shell, own));
      return 0;
    },
  },
];

/** Help for one of them. */
export function ownCommandHelp({ name, words, summary, example }: OwnCommand): string {
  return `${summary}\n\nUsage: quarry ${name} ${words}\n\nExamples:\n  ${example}`;
}

function numberIn(words: readonly string[]): number {
  const [word = ''] = words;
  if (words.length === 1 && /^[1-9]\d{0,3}$/.test(word)) return Number(word);
  throw usage('open', 'Name the number of one hit.');
}

function usage(name: string, message: string): QuarryError {
  return new QuarryError('usage-invalid', message, `Run: quarry ${name} --help`);
}
