import { createReadStream } from 'node:fs';
import type { z } from 'zod';
import { interrupted, messageOf, QuarryError } from '../../core/errors.ts';

/** A line of a file with its number, counted from 1. */
export interface NumberedLine {
  readonly line: number;
  readonly text: string;
}

/** The lines of a file that have text, one after another; a mark at the file's beginning and line ends are left off. */
export async function* linesOf(file: string, signal?: AbortSignal): AsyncGenerator<NumberedLine> {
  let line = 0;
  for await (const text of rawLines(file)) {
    line += 1;
    if (signal?.aborted) throw interrupted(signal.reason);
    const plain = (line === 1 ? text.replace(/^\uFEFF/, '') : text).replace(/\r$/, '');
    if (plain.trim() !== '') yield { line, text: plain };
  }
}

/** Only a line feed ends a line: JSON may contain the other characters that some readers treat as line ends. */
async function* rawLines(file: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const part of createReadStream(file, { encoding: 'utf8', highWaterMark: 2 ** 18 })) {
      // Only the new part is split, so that a line that spans many parts is searched once.
      const [first = '', ...further] = (part as string).split('\n');
      const last = further.pop();
      if (last === undefined) rest += first;
      else {
        yield rest + first;
        yield* further;
        rest = last;
      }
    }
  } catch (cause) {
    throw new QuarryError(
      'file-unreadable',
      `The file ${file} cannot be read: ${messageOf(cause)}.`,
      'Check the path and its permissions.',
      { cause },
    );
  }
  if (rest !== '') yield rest;
}

/** The rows of a file with one JSON object per line; a row that does not fit the schema is an error with its line. */
export async function* jsonLines<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  example: string,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly line: number; readonly row: z.output<Schema> }> {
  for await (const { line, text } of linesOf(file, signal)) {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw badLine(file, line, `is no JSON (${messageOf(cause)})`, example, cause);
    }
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw badLine(file, line, problemOf(parsed.error), example);
    yield { line, row: parsed.data };
  }
}

/** The error for a line that cannot be used; the remedy shows a valid one. */
export function badLine(
  file: string,
  line: number,
  problem: string,
  example: string,
  cause?: unknown,
): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `${file}, line ${line}: ${problem}.`,
    `Write the line like this: ${example}`,
    { cause },
  );
}

function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  const place = issue?.path.join('.') ?? '';
  const message = issue?.message ?? 'does not fit';
  return place === '' ? message : `${place}: ${message}`;
}
