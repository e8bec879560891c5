import { setImmediate } from 'node:timers/promises';
import { pushNumber } from '../file/sites.ts';
import { type ReadBytes, type ScipOccurrence, scipDocuments } from './scip-documents.ts';

/** What a compiler has understood of a project, as it is kept. */
export interface CompiledIndex {
  readonly files: readonly CompiledFile[];
  /** Numbers of symbols with the places where they are defined. */
  readonly definitions: readonly CompiledDefinition[];
}

/** The mentions in a file: lines as the distance to the one before, columns, and the numbers of symbols. */
export interface CompiledFile {
  readonly id: number;
  readonly uri: string;
  readonly mentions: Uint8Array;
}

export interface CompiledDefinition {
  readonly symbol: number;
  readonly file: number;
  readonly line: number;
}

/** Definitions of an index; of one with more nothing is used, since all of them are in memory at once. */
const maxDefinitions = 500_000;
/** Milliseconds after which others get their turn. */
const turn = 20;

/** Reads an index in the SCIP format; undefined for one with too many definitions. */
export async function packCompiled(
  read: ReadBytes,
  size: number,
  signal?: AbortSignal,
): Promise<CompiledIndex | undefined> {
  const symbols = new Map<string, number>();
  const definitions: CompiledDefinition[] = [];
  const ids = new Map<string, number>();
  const pause = turns(signal);
  for (const { uri, occurrences } of scipDocuments(read, size)) {
    const file = ids.get(uri) ?? ids.size + 1;
    ids.set(uri, file);
    for (const { symbol, line, isDefinition } of occurrences) {
      if (!isDefinition) continue;
      const number = symbols.get(symbol) ?? symbols.size + 1;
      symbols.set(symbol, number);
      definitions.push({ symbol: number, file, line });
      if (definitions.length > maxDefinitions) return undefined;
    }
    await pause();
  }
  const files = new Map<number, CompiledFile>();
  for (const { uri, occurrences } of scipDocuments(read, size)) {
    const id = ids.get(uri);
    // The file may be another one by now.
    if (id !== undefined) files.set(id, { id, uri, mentions: packed(occurrences, symbols) });
    await pause();
  }
  return { files: [...files.values()], definitions };
}

/** Lets others have their turn, and ends when the caller does not want it any more. */
function turns(signal: AbortSignal | undefined): () => Promise<void> {
  let from = performance.now();
  return async () => {
    if (performance.now() - from < turn) return;
    await setImmediate(undefined, { signal });
    from = performance.now();
  };
}

function packed(occurrences: Iterable<ScipOccurrence>, symbols: ReadonlyMap<string, number>): Uint8Array {
  const found: { line: number; column: number; symbol: number }[] = [];
  for (const { line, column, symbol, isDefinition } of occurrences) {
    const number = symbols.get(symbol);
    if (number !== undefined && !isDefinition) found.push({ line, column, symbol: number });
  }
  const bytes: number[] = [];
  let before = 0;
  for (const { line, column, symbol } of found.sort((one, other) => one.line - other.line)) {
    for (const value of [line - before, column, symbol]) pushNumber(bytes, value);
    before = line;
  }
  return Uint8Array.from(bytes);
}
