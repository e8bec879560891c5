import type { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../../../../core/identity.ts';
import { terms } from '../../../../core/text/terms.ts';
import { inTransaction } from '../../../../platform/sqlite/transaction.ts';
import { wordProbe } from '../../word-probe.ts';

/**
 * Makes a table for terms made by the core: the tokenizer has nothing left to decide but the stem. It is part of a
 * step of the schema, so that another form of it needs another name and a new step.
 */
export function createTextTable(name: string): string {
  return `CREATE VIRTUAL TABLE ${name} USING fts5 (
    body, heading, path, symbol, content = '', tokenize = "porter ascii tokenchars '_'"
  )`;
}

/** Puts into a table of `createTextTable` what the chunks are found by; a condition on `c` and `d` may follow. */
export function fillTextTable(name: string): string {
  return `INSERT INTO ${name} (rowid, body, heading, path, symbol) SELECT ${wordColumns}`;
}

/** The row of a chunk in the text index, made from the chunk; a condition on `c` and `d` may follow. */
export const wordColumns = `c.number, terms_of(c.text), terms_of(c.section, d.title), terms_of(d.uri),
  symbol_terms(c.symbol) FROM chunks c JOIN documents d ON d.number = c.document`;

/** Rebuilds the whole text index from the chunks. */
function textRenewal(): string {
  return `DROP TABLE IF EXISTS chunk_terms;
    ${createTextTable('chunk_terms')};
    ${fillTextTable('chunk_terms')};
    UPDATE text_upkeep SET recipe = '${textRecipe()}', removed = 0, lingering = 0;`;
}

/** Rebuilds the text index where the rules by which it was made are not today's. */
export function renewText(database: DatabaseSync): void {
  const isCurrent = () => database.prepare('SELECT recipe FROM text_upkeep').get()?.recipe === textRecipe();
  if (isCurrent()) return;
  inTransaction(database, 'immediate', () => {
    // Another process may have done it between the look above and the lock.
    if (!isCurrent()) database.exec(textRenewal());
  });
}

let recipe: string | undefined;

function textRecipe(): string {
  recipe ??= sha256([createTextTable('chunk_terms'), ...terms(wordProbe)].join('\n')).slice(0, 16);
  return recipe;
}
