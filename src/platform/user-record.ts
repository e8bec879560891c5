import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, QuarryError } from '../core/errors.ts';
import { makeFolder } from './make-folder.ts';
import { waitForLock } from './sqlite/writer-lock.ts';
import { writeDurably } from './write-durably.ts';

/** A small file that belongs to the user: read whole, and written whole by one process at a time. */
export interface UserRecord<Value> {
  read(): Promise<Value>;
  /** Writes what `change` returns, unless that is the value it was given. */
  change(change: (before: Value) => Value, signal?: AbortSignal): Promise<Value>;
}

/** How the text of a record becomes its value and back. */
export interface RecordFormat<Value> {
  /** What the record is, in a message: `The record of your consents`. */
  readonly name: string;
  /** One sentence on what to do where it cannot be read. */
  readonly remedy: string;
  readonly empty: Value;
  parse(text: string): Value;
  /** The new text; the previous one is given for what it holds besides the value. */
  write(value: Value, previous: string): string;
}

/** The record in this file, which only the user can read. */
export function openUserRecord<Value>(path: string, format: RecordFormat<Value>): UserRecord<Value> {
  const readText = async (): Promise<string | undefined> => {
    try {
      return await readFile(path, 'utf8');
    } catch (cause) {
      if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw unreadable(cause);
    }
  };
  const parse = (text: string | undefined): Value => {
    if (text === undefined) return format.empty;
    try {
      return format.parse(text);
    } catch (cause) {
      throw unreadable(cause);
    }
  };
  const unreadable = (cause: unknown): QuarryError =>
    cause instanceof QuarryError
      ? cause
      : new QuarryError('file-unreadable', `${format.name}, ${path}, cannot be read.`, format.remedy, {
          cause,
        });
  return {
    read: async () => parse(await readText()),
    async change(change, signal) {
      await makeFolder(dirname(path), 0o700).catch((cause) => {
        throw unwritable(path, cause);
      });
      const lock = await waitForLock(`${path}.lock`, { signal });
      try {
        const previous = await readText();
        const before = parse(previous);
        const after = change(before);
        if (after !== before) await replace(path, format.write(after, previous ?? ''));
        return after;
      } finally {
        lock.release();
      }
    },
  };
}

async function replace(path: string, text: string): Promise<void> {
  try {
    await writeDurably(path, text, 0o600);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function unwritable(path: string, cause: unknown): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `${path} cannot be written: ${messageOf(cause)}`,
    'Make the folder writable.',
    { cause },
  );
}
