import { QuarryError } from '../../../core/errors.ts';
import type { Connection } from './connection.ts';
import { textRows } from './text-totals.ts';
import { lingeringRows, mergeText } from './text-upkeep.ts';

/** Free pages that are left for what comes next, rather than given back: 1 MiB. */
const spareFreePages = 256;
/** Free pages are given back once they are this part of the file. */
const largestFreePart = 0.25;
const pagesPerStep = 1000;
/** `PRAGMA auto_vacuum` of a file whose free pages can be given back little by little. */
const incremental = 2;
/** Words of removed rows are not left to pile up beyond this part of the text index, and this many rows. */
const largestLingeringPart = 0.1;
const fewestLingering = 500;
/** Milliseconds without a change after which the words of removed rows go, however few they are. */
const restBeforeTidying = 2_000;
/** Milliseconds to wait for another writer: it may be left for another time. */
const patience = 0;

/**
 * Rids the file of words that were removed and gives free pages back to the disk: at once when they are many, as
 * soon as there is time when they are few, and always before the file is closed. It is never what a caller asked
 * for: when the disk is full, the file read-only or another process writing, it is left for the next time.
 */
export class Upkeep {
  readonly #connection: Connection;
  #timer: NodeJS.Timeout | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** To be called after whatever may have left something behind. */
  async afterChange(): Promise<void> {
    clearTimeout(this.#timer);
    await quietly(async () => {
      const lingering = await this.#connection.read(() => lingeringState(this.#connection));
      if (lingering === 'many') await mergeText(this.#connection, patience);
      if (lingering === 'few') this.#tidySoon();
      await giveBackPages(this.#connection);
    });
  }

  /** To be called before the file is closed. */
  async finish(): Promise<void> {
    clearTimeout(this.#timer);
    await quietly(async () => {
      await mergeText(this.#connection, patience);
      await giveBackPages(this.#connection);
    });
  }

  #tidySoon(): void {
    this.#timer = setTimeout(() => void this.finish(), restBeforeTidying);
    // Nobody waits for it: a process that has nothing else to do may end.
    this.#timer.unref();
  }
}

async function quietly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error;
  }
}

function lingeringState(connection: Connection): 'none' | 'few' | 'many' {
  const lingering = lingeringRows(connection);
  if (lingering === 0) return 'none';
  const most = Math.max(fewestLingering, textRows(connection) * largestLingeringPart);
  return lingering < most ? 'few' : 'many';
}

async function giveBackPages(connection: Connection): Promise<void> {
  const { free, pages, mode } = await connection.read(() => pageCounts(connection));
  if (mode !== incremental || free < spareFreePages || free < pages * largestFreePart) return;
  for (let left = free; left > 0; left -= pagesPerStep) {
    await connection.tend(() => connection.execute(`PRAGMA incremental_vacuum(${pagesPerStep})`), patience);
  }
}

function pageCounts(connection: Connection): { free: number; pages: number; mode: number } {
  const row = connection.get(
    `SELECT freelist_count AS free, page_count AS pages, auto_vacuum AS mode
     FROM pragma_freelist_count, pragma_page_count, pragma_auto_vacuum`,
  );
  return { free: Number(row?.free), pages: Number(row?.pages), mode: Number(row?.mode) };
}
