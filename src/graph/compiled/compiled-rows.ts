import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { nextNumber } from '../file/sites.ts';
import type { CompiledIndex } from './pack-compiled.ts';

/** Which index of a compiler is kept, and what is not used of it and why, where that is so. */
export interface CompiledState {
  /** Names the file that it was read from; empty where there is none. */
  readonly stamp: string;
  readonly gap?: string;
}

/** Where something is defined, as a compiler says. */
export interface CompiledPlace {
  readonly uri: string;
  readonly line: number;
}

/** What is kept of a compiler's index. */
export interface CompiledRows {
  state(): CompiledState;
  /** Puts one index in place of another. */
  replace(state: CompiledState, index: CompiledIndex): void;
  /** For each place in a file that mentions something of the project, by line and column, the number of what it is. */
  mentionsIn(uri: string): ReadonlyMap<string, number>;
  definitionsOf(symbol: number): CompiledPlace[];
}

/** The tables of an open file. */
export function compiledRows(database: DatabaseSync): CompiledRows {
  return {
    state() {
      const row = database.prepare('SELECT stamp, gap FROM compiled').get();
      return { stamp: String(row?.stamp ?? ''), ...(row?.gap != null && { gap: String(row.gap) }) };
    },
    replace({ stamp, gap }, { files, definitions }) {
      inTransaction(database, 'immediate', () => {
        for (const table of ['compiled', 'compiled_files', 'compiled_definitions'])
          database.exec(`DELETE FROM ${table}`);
        const file = database.prepare('INSERT INTO compiled_files VALUES (?, ?, ?)');
        for (const { id, uri, mentions } of files) file.run(id, uri, mentions);
        const define = database.prepare(
          'INSERT INTO compiled_definitions VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
        );
        for (const { symbol, file: of, line } of definitions) define.run(symbol, of, line);
        database.prepare('INSERT INTO compiled VALUES (?, ?)').run(stamp, gap ?? null);
      });
    },
    mentionsIn(uri) {
      const row = database.prepare('SELECT mentions FROM compiled_files WHERE uri = ?').get(uri);
      const found = new Map<string, number>();
      const numbers = { bytes: (row?.mentions as Uint8Array | undefined) ?? new Uint8Array(), at: 0 };
      let line = 0;
      while (numbers.at < numbers.bytes.length) {
        line += nextNumber(numbers);
        const column = nextNumber(numbers);
        found.set(`${line}:${column}`, nextNumber(numbers));
      }
      return found;
    },
    definitionsOf: (symbol) =>
      database
        .prepare(
          'SELECT uri, line FROM compiled_definitions JOIN compiled_files ON compiled_files.id = file WHERE symbol = ? LIMIT 100',
        )
        .all(symbol)
        .map(({ uri, line }) => ({ uri: String(uri), line: Number(line) })),
  };
}
