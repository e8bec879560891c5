import { createInterface } from 'node:readline/promises';
import { interrupted, QuarryError } from '../../core/errors.ts';
import type { Operation } from '../../operations/operation.ts';
import { needsConfirmation } from '../../operations/permission.ts';

/** Asks a person for yes or no; undefined where there is nobody to ask. */
export type Ask = ((question: string, signal: AbortSignal) => Promise<string>) | undefined;

/** Returns only where an operation loses nothing, was agreed to with `--yes`, or is agreed to now. */
export async function confirm(
  operation: Operation,
  isAgreed: boolean,
  ask: Ask,
  signal: AbortSignal,
): Promise<void> {
  if (!needsConfirmation(operation) || isAgreed) return;
  if (!ask)
    throw new QuarryError(
      'usage-invalid',
      `"quarry ${operation.name}" removes what does not come back by itself, and there is no terminal to ask at.`,
      `Run: quarry ${operation.name} --yes`,
    );
  const answer = await ask(`${operation.summary} Are you sure? [y/N] `, signal);
  if (!/^y(es)?$/i.test(answer.trim())) throw interrupted();
}

/** Asks on standard error, where a person sits at both ends. */
export function askAtTerminal(): Ask {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  return async (question, signal) => {
    const terminal = createInterface({ input: stdin, output: stderr });
    try {
      return await terminal.question(question, { signal });
    } finally {
      terminal.close();
    }
  };
}
