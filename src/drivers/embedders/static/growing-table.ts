import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { interrupted, messageOf } from '../../../core/errors.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { once } from '../../../platform/once.ts';
import type { DistilPiece } from './distil-pieces.ts';
import { emptyTable, setRow, type TokenTable, tableFromBytes, tableToBytes } from './token-table.ts';

/** New rows after which the file is written without waiting for the end. */
const rowsWorthKeeping = 2000;

/** A table that gets a row when its piece first occurs, and is kept in the cache for the next process. */
export interface GrowingTable {
  /** The table, with the rows of these pieces. */
  withRows(pieces: Iterable<number>, signal?: AbortSignal): Promise<TokenTable>;
  /** Puts new rows into the cache. */
  keep(): Promise<void>;
  /** Why it will have to grow again in the next process, where it could not be kept. */
  readonly notKept: string | undefined;
}

/** The table of this name; a damaged file counts as none. */
export function createGrowingTable(
  folder: string,
  name: string,
  size: { readonly pieces: number; readonly dimensions: number },
  /** Whether a piece counts at all. */
  counts: (piece: number) => boolean,
  openDistiller: () => Promise<DistilPiece>,
): GrowingTable {
  const path = join(folder, `${name}.table`);
  const opened = once(async () => (await tableAt(path)) ?? emptyTable(size.pieces, size.dimensions));
  const distiller = once(openDistiller);
  let unkept = 0;
  let notKept: string | undefined;

  const keep = async (): Promise<void> => {
    if (unkept === 0) return;
    const table = await opened();
    unkept = 0;
    try {
      // Another process may have put its own rows there meanwhile.
      takeRows(table, await tableAt(path));
      await makeFolder(folder);
      await putInPlace(path, tableToBytes(table));
      notKept = undefined;
    } catch (cause) {
      notKept = messageOf(cause);
    }
  };
  return {
    keep,
    get notKept() {
      return notKept;
    },
    async withRows(pieces, signal) {
      const table = await opened();
      const missing = [...new Set(pieces)].filter((piece) => table.steps[piece] === 0 && counts(piece));
      for (const piece of missing) {
        if (signal?.aborted) throw interrupted(signal.reason);
        setRow(table, piece, await (await distiller())(piece));
        unkept += 1;
      }
      if (unkept >= rowsWorthKeeping) await keep();
      return table;
    },
  };
}

function takeRows(table: TokenTable, other: TokenTable | undefined): void {
  const { dimensions, values, steps } = table;
  other?.steps.forEach((step, piece) => {
    if (step === 0 || steps[piece] !== 0) return;
    steps[piece] = step;
    values.set(other.values.subarray(piece * dimensions, (piece + 1) * dimensions), piece * dimensions);
  });
}

async function tableAt(path: string): Promise<TokenTable | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  return bytes && tableFromBytes(bytes);
}

/** One rename puts the whole file in place: a reader sees the old table or the new one. */
async function putInPlace(path: string, bytes: Buffer): Promise<void> {
  const unfinished = `${path}.${process.pid}-${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(unfinished, bytes, { flag: 'wx', flush: true });
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw cause;
  }
}
