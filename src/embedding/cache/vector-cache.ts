import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  CacheEntry,
  ExportReport,
  ImportReport,
  VectorCache,
  VectorCacheStats,
} from '../../contracts/vector-cache.ts';
import { QuarryError } from '../../core/errors.ts';
import type { TokenSketch } from '../../core/vectors/token-sketch.ts';
import { damagedPath } from './cache-file.ts';
import { clearAll, type KeyedVector, lookUp, lookUpSketches, readStats, writeVectors } from './cache-rows.ts';
import { exportVectors } from './export-vectors.ts';
import { importVectors } from './import-vectors.ts';
import { makeRoom, shrinkTo } from './room.ts';
import { hashOfText, isUnitVector } from './sealed-vector.ts';
import { SteadyFile } from './steady-file.ts';
import { UseNotes } from './use-notes.ts';

/** The name of the file in the user's cache folder. */
const fileName = 'vectors.db';
/** Texts looked up, or vectors written, in one transaction and without a turn for anything else in the process. */
const pageSize = 256;

/** Where a cache lies and how it may be used. */
export interface VectorCacheOptions {
  /** The user's cache folder; it is made when needed. */
  readonly folder: string;
  /** Size in bytes that the file may have; 0 turns the cache off. */
  readonly maxBytes: number;
  /** Whether nothing may be written, not even that something was used. */
  readonly readOnly?: boolean;
  /** Milliseconds since 1970; the clock of the system if absent. */
  readonly now?: () => number;
}

/** Opens the cache, making it where there is none. Never fails: a cache that cannot be opened is empty and says why. */
export async function openVectorCache(options: VectorCacheOptions): Promise<VectorCache> {
  const { folder, maxBytes, readOnly = false } = options;
  const mayWrite = maxBytes > 0 && !readOnly;
  const steady = await SteadyFile.open({ path: join(folder, fileName), readOnly, create: mayWrite });
  // The limit may be lower than it was.
  if (mayWrite) await makeRoom(steady, maxBytes);
  return new SteadyVectorCache(steady, options);
}

interface Stoppable {
  readonly signal?: AbortSignal | undefined;
}

class SteadyVectorCache implements VectorCache {
  readonly #steady: SteadyFile;
  readonly #maxBytes: number;
  readonly #readOnly: boolean;
  readonly #now: () => number;
  #notes = new UseNotes();

  constructor(steady: SteadyFile, { maxBytes, readOnly = false, now = Date.now }: VectorCacheOptions) {
    this.#steady = steady;
    this.#maxBytes = maxBytes;
    this.#readOnly = readOnly;
    this.#now = now;
  }

  get problem(): QuarryError | undefined {
    return this.#steady.problem;
  }

  async get(space: string, texts: readonly string[]): Promise<(Float32Array | undefined)[]> {
    const found: (Float32Array | undefined)[] = [];
    if (this.#isOff()) return Array(texts.length).fill(undefined);
    for (const page of pagesOf(texts)) {
      if (found.length > 0) await nextTurn();
      const findings = await this.#steady.attempt('read', (database) =>
        lookUp(database, space, page, this.#hour()),
      );
      found.push(...(findings?.vectors ?? Array<undefined>(page.length).fill(undefined)));
      if (findings) this.#notes.add(findings);
      if (this.#notes.areDue) await this.#writeNotes();
    }
    return found;
  }

  async sketches(space: string, texts: readonly string[]): Promise<(TokenSketch | undefined)[]> {
    const look = (database: DatabaseSync) => lookUpSketches(database, space, texts, this.#hour());
    const found = this.#isOff() ? undefined : await this.#steady.attempt('read', look);
    if (found) this.#notes.addUse(found.used);
    if (this.#notes.areDue) await this.#writeNotes();
    return [...(found?.sketches ?? Array<undefined>(texts.length).fill(undefined))];
  }

  async put(space: string, entries: readonly CacheEntry[]): Promise<boolean> {
    if (this.#isOff() || this.#readOnly) return false;
    let isKept = true;
    for (const page of pagesOf(entries)) {
      const keyed = page.flatMap(keyedVector);
      if (keyed.length === 0) continue;
      const written = await this.#steady.attempt('write', (database) =>
        writeVectors(database, 'replace', space, keyed, this.#hour()),
      );
      if (written) await makeRoom(this.#steady, this.#maxBytes);
      else isKept = false;
      if (entries.length > pageSize) await nextTurn();
    }
    return isKept;
  }

  async stats(): Promise<VectorCacheStats> {
    await this.#writeNotes();
    const stats = this.#exists() ? await this.#steady.demand('read', readStats) : undefined;
    return {
      file: this.#steady.path,
      limit: this.#maxBytes,
      ...(stats ?? { entries: 0, bytes: 0, spaces: [], hits: 0, misses: 0, damaged: 0 }),
    };
  }

  async exportTo(file: string, { signal }: Stoppable = {}): Promise<ExportReport> {
    if (this.#exists()) return exportVectors(this.#steady.path, file, signal);
    throw new QuarryError(
      'store-unusable',
      `There is no vector cache ${this.#steady.path} to export.`,
      'Run: quarry index, with cache.max_bytes above 0.',
    );
  }

  async importFrom(file: string, { signal }: Stoppable = {}): Promise<ImportReport> {
    if (this.#isOff() || this.#readOnly || !this.#exists()) {
      throw new QuarryError(
        'store-unusable',
        `The vector cache ${this.#steady.path} is turned off.`,
        'Set cache.max_bytes above 0.',
      );
    }
    const target = { steady: this.#steady, maxBytes: this.#maxBytes, hour: this.#hour(), signal };
    return importVectors(file, target);
  }

  async clear(): Promise<number> {
    this.#notes = new UseNotes();
    const removed = this.#exists() ? await this.#steady.demand('write', clearAll) : 0;
    await shrinkTo(this.#steady, 0);
    await rm(damagedPath(this.#steady.path), { force: true });
    return removed;
  }

  async close(): Promise<void> {
    await this.#writeNotes();
    this.#steady.close();
  }

  #isOff(): boolean {
    return this.#maxBytes <= 0;
  }

  /** Whether there is a file; fails where there should be one and it cannot be used. */
  #exists(): boolean {
    if (!this.#steady.isOpen && this.problem) throw this.problem;
    return this.#steady.isOpen;
  }

  #hour(): number {
    return Math.floor(this.#now() / 3_600_000);
  }

  async #writeNotes(): Promise<void> {
    if (this.#notes.areNone) return;
    const notes = this.#notes;
    this.#notes = new UseNotes();
    await this.#steady.attempt('write', (database) => notes.write(database, this.#hour()));
  }
}

function keyedVector({ text, ...made }: CacheEntry): KeyedVector[] {
  const key = isUnitVector(made.vector) ? hashOfText(text) : undefined;
  return key ? [{ key, ...made }] : [];
}

function* pagesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += pageSize) yield items.slice(start, start + pageSize);
}
