import { interrupted, QuarryError } from '../../../core/errors.ts';
import type { Operation } from '../../../operations/operation.ts';
import { needsConfirmation } from '../../../operations/permission.ts';
import { lineOf } from '../commands/commands.ts';
import { quoted } from '../commands/quoted.ts';

/** Asks a person for yes or no; undefined where there is nobody to ask. */
export type Ask = ((question: string, signal: AbortSignal) => Promise<string>) | undefined;

/**
 * Returns where an operation destroys nothing, has `--yes`, or the user says yes; throws otherwise. `words` are those that were
 * written after `quarry`.
 */
export async function confirm(
  operation: Pick<Operation, 'name' | 'summary' | 'effect'>,
  words: readonly string[],
  isAgreed: boolean,
  ask: Ask,
  signal: AbortSignal,
): Promise<void> {
  if (!needsConfirmation(operation) || isAgreed) return;
  if (!ask)
    throw new QuarryError(
      'usage-invalid',
      `"quarry ${lineOf(operation)}" removes data for good, and there is no terminal to ask for confirmation.`,
      `Run: quarry ${words.toSpliced(endOfFlags(words), 0, '--yes').map(quoted).join(' ')}`,
    );
  const answer = await ask(`${operation.summary} Are you sure? [y/N] `, signal);
  if (!/^y(es)?$/i.test(answer.trim())) throw interrupted();
}

/** Words after a bare `--` are not flags. */
function endOfFlags(words: readonly string[]): number {
  return [...words, '--'].indexOf('--');
}

/** Asks on standard error; undefined unless input and error stream are terminals. */
export function askAtTerminal(): Ask {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  return async (question, signal) => {
    const { createInterface } = await import('node:readline/promises');
    const terminal = createInterface({ input: stdin, output: stderr });
    try {
      return await terminal.question(question, { signal });
    } finally {
      terminal.close();
    }
  };
}
