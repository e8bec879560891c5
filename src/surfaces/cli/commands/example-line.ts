import type { Example, Operation } from '../../../operations/operation.ts';
import { lineOf } from './commands.ts';
import { flagsOf } from './flags.ts';
import { quoted } from './quoted.ts';

/** An example as a person types it. */
export function exampleLine(operation: Operation, example: Example): string {
  return ['quarry', ...wordsOf(operation, example)].map(quoted).join(' ');
}

/** The words of a command line for an input: the inverse of `parseWords`. */
export function wordsOf(operation: Operation, { input, settings = {} }: Omit<Example, 'explains'>): string[] {
  const given = input as Record<string, unknown>;
  const plain = (operation.positionals ?? []).flatMap((field) => given[field] ?? []).map(String);
  const flags = flagsOf(operation).flatMap(({ field, name, kind }) => {
    const value = given[field];
    if (value === undefined) return [];
    if (kind === 'switch') return value === true ? [name] : [name.replace('--', '--no-')];
    return [value].flat().flatMap((each) => flagWords(name, String(each)));
  });
  const overrides = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
  const name = lineOf(operation).split(' ');
  return plain.some((word) => word.startsWith('-'))
    ? [...name, ...flags, ...overrides, '--', ...plain]
    : [...name, ...plain, ...flags, ...overrides];
}

/** A value that looks like a flag is joined to its flag with `=`. */
function flagWords(name: string, value: string): string[] {
  return value.startsWith('-') ? [`${name}=${value}`] : [name, value];
}
