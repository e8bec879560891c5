import type { z } from 'zod';
import type { problemSchema } from '../../core/problem.ts';

/** Warnings of an operation as sentences for a model, each once. */
export function notesOf(warnings: readonly z.output<typeof problemSchema>[]): string[] {
  return [...new Set(warnings.map(({ code, message, remedy }) => explained[code] ?? `${message} ${remedy}`))];
}

/** What a model can do about it differs from what a person at a terminal can. */
const explained: Readonly<Record<string, string>> = {
  'store-busy': 'The index is being brought up to date: newer text may be missing. Ask again in a moment.',
  'index-stale':
    'The index is not complete yet: ask again in a moment, or call index_workspace and wait for it.',
  'vectors-pending': 'Vectors are still being made: words alone find a part of the texts for now.',
};

/** Notes as lines of an answer. */
export function noteLines(notes: readonly string[]): string[] {
  return notes.map((note) => `Note: ${note}`);
}
