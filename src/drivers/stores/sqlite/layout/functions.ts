import type { DatabaseSync } from 'node:sqlite';
import { terms } from '../../../../core/text/terms.ts';
import { registerFieldsFilter, registerPathFilter } from './filter.ts';
import { readText } from './rows.ts';

/** Gives the database the functions that statements and layout steps of this store call. */
export function registerFunctions(database: DatabaseSync): void {
  registerPathFilter(database);
  registerFieldsFilter(database);
  // Nothing that a file brings along may call them.
  const options = { deterministic: true, varargs: true, directOnly: true };
  // terms_of(...): what texts are found by, as one string.
  database.function('terms_of', options, (...texts) => joinTerms(texts.map(readText)));
  // symbol_terms(symbol): the same of a symbol as the column keeps it.
  database.function('symbol_terms', options, (symbol) => joinTerms(symbolNames(symbol)));
}

function joinTerms(texts: readonly string[]): string {
  return terms(texts.join('\n')).join(' ');
}

// A damaged row has no names: it must stay possible to look at it and to take it out.
function symbolNames(symbol: unknown): string[] {
  if (symbol === null) return [];
  try {
    const { name, scope } = JSON.parse(readText(symbol));
    return [name, ...scope].map(String);
  } catch {
    // A damaged row has no names.
    return [];
  }
}
