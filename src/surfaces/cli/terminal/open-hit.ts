import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { messageOf, QuarryError } from '../../../core/errors.ts';
import { containedPath } from '../../../platform/contained-path.ts';
import { processEnvironment } from '../../../platform/environment.ts';
import { editorCommand } from './editor-command.ts';
import { lastHit } from './last-hits.ts';

/** Opens a hit of the last search in the user's editor, waits for it, and returns its exit code. */
export async function openHit(number: number): Promise<number> {
  const setting = processEnvironment('VISUAL') ?? processEnvironment('EDITOR');
  if (!setting?.trim()) throw noEditor('VISUAL and EDITOR are not set.');
  const { folder, path, line } = await lastHit(number);
  const file = await containedPath(folder, path);
  if (!(await stat(file).catch(() => undefined))?.isFile())
    throw new QuarryError(
      'file-unreadable',
      `There is no file ${path}.`,
      'Search again: the file may have moved.',
    );
  const [program, ...words] = editorCommand(setting, file, line);
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: 'inherit' });
    child.on('error', (cause) =>
      reject(noEditor(`The editor "${program}" cannot be started: ${messageOf(cause)}.`, cause)),
    );
    child.on('close', (code) => resolve(code ?? 1));
  });
}

function noEditor(message: string, cause?: unknown): QuarryError {
  return new QuarryError(
    'usage-invalid',
    message,
    'Set EDITOR to the program of your editor, for example: vim',
    { cause },
  );
}
