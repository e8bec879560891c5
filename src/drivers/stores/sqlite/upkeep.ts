import { QuarryError } from '../../../core/errors.ts';
import type { Connection } from './file/connection.ts';
import { joinText, lingeringRows, mergeText, textRows } from './text/text-upkeep.ts';
import { removeDropped } from './vectors/dropped-spaces.ts';

/** Free pages that are left for what comes next, rather than given back: 1 MiB. */
const spareFreePages = 256;
/** Free pages are given back once they are this part of the file. */
const maxFreePartSize = 0.25;
const pagesPerStep = 1000;
/** `PRAGMA auto_vacuum` of a file whose free pages can be given back little by little. */
const incremental = 2;
/** Words of removed rows are not left to pile up beyond this part of the text index, and this many rows. */
const maxLingeringPartSize = 0.1;
const minLingering = 500;
/** Milliseconds without a change after which what was removed leaves no trace any more, however little it is. */
const restBeforeTidying = 2_000;
/** The longest rest between two attempts, where one did not get to the end. */
const maxRest = 60_000;
/** Milliseconds to wait for another writer: it may be left for another time. */
const patience = 0;

/**
 * Rids the file and its log of what was removed and gives free pages back to the disk: at once when that is much, as
 * soon as there is time when it is little, and always before the file is closed. It is never what a caller asked for:
 * when the disk is full, the file read-only or another process at work, it is left for the next time.
 */
export class Upkeep {
  readonly #connection: Connection;
  #timer: NodeJS.Timeout | undefined;
  #rest = restBeforeTidying;
  /** Whether something that was removed may still stand in the file or its log. */
  #hasTraces = false;
  #isFinished = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** To be called after whatever may have left something behind; a change that removed something surely has. */
  async afterChange({ hasRemoved }: { readonly hasRemoved: boolean }): Promise<void> {
    clearTimeout(this.#timer);
    this.#rest = restBeforeTidying;
    this.#hasTraces ||= hasRemoved;
    await quietly(async () => {
      const lingering = await this.#connection.read(() => lingeringState(this.#connection));
      this.#hasTraces ||= lingering !== 'none';
      if (lingering === 'many') await mergeText(this.#connection, patience);
      await removeDropped(this.#connection, patience);
      await giveBackPages(this.#connection);
    });
    if (this.#hasTraces) this.#tidySoon();
  }

  /** To be called when many changes are done with. */
  async afterMany(signal: AbortSignal | undefined): Promise<void> {
    await quietly(() => joinText(this.#connection, patience, signal));
  }

  /** To be called before the file is closed. */
  async finish(): Promise<void> {
    this.#isFinished = true;
    clearTimeout(this.#timer);
    await this.#tidy();
  }

  async #tidy(): Promise<void> {
    const hadTraces = this.#hasTraces;
    // From here on, a change that comes in between leaves traces of its own.
    this.#hasTraces = false;
    let isClean = false;
    await quietly(async () => {
      await mergeText(this.#connection, patience);
      await removeDropped(this.#connection, patience);
      await giveBackPages(this.#connection);
      // What was written and removed stands in the log until that is emptied, and in the file until the log got there.
      isClean = !hadTraces || this.#connection.checkpoint();
    });
    this.#hasTraces ||= hadTraces && !isClean;
    if (this.#hasTraces) this.#tidySoon();
  }

  #tidySoon(): void {
    clearTimeout(this.#timer);
    if (this.#isFinished) return;
    this.#timer = setTimeout(() => void this.#tidy(), this.#rest);
    // Nobody waits for it: a process that has nothing else to do may end.
    this.#timer.unref();
    this.#rest = Math.min(this.#rest * 2, maxRest);
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
  const max = Math.max(minLingering, textRows(connection) * maxLingeringPartSize);
  return lingering < max ? 'few' : 'many';
}

async function giveBackPages(connection: Connection): Promise<void> {
  const { free, pages, mode } = await connection.read(() => pageCounts(connection));
  if (mode !== incremental || free < spareFreePages || free < pages * maxFreePartSize) return;
  for (let left = free; left > 0; left -= pagesPerStep) {
    await connection.maintain(
      () => connection.execute(`PRAGMA incremental_vacuum(${pagesPerStep})`),
      patience,
    );
    await connection.pause();
  }
}

function pageCounts(connection: Connection): { free: number; pages: number; mode: number } {
  const row = connection.get(
    `SELECT freelist_count AS free, page_count AS pages, auto_vacuum AS mode
     FROM pragma_freelist_count, pragma_page_count, pragma_auto_vacuum`,
  );
  return { free: Number(row?.free), pages: Number(row?.pages), mode: Number(row?.mode) };
}
