import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  CacheEntry,
  ExportOptions,
  ExportReport,
  ImportReport,
  VectorCache,
  VectorCacheStats,
} from '../../contracts/vector-cache.ts';
import { QuarryError } from '../../core/errors.ts';
import { damagedPath } from './cache-file.ts';
import { type Findings, type KeyedVector, lookUp, removeRows, replaceVectors } from './cache-rows.ts';
import { clearAll, readStats } from './cache-stats.ts';
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
  const { folder, maxBytes, readOnly = false, now = Date.now } = options;
  const steady = await SteadyFile.open({
    path: join(folder, fileName),
    readOnly,
    create: maxBytes > 0 && !readOnly,
  });
  const cache = new SteadyVectorCache(steady, maxBytes, readOnly, now);
  // The limit may be lower than it was.
  if (maxBytes > 0 && !readOnly) await makeRoom(steady, maxBytes);
  return cache;
}

class SteadyVectorCache implements VectorCache {
  readonly #steady: SteadyFile;
  readonly #maxBytes: number;
  readonly #readOnly: boolean;
  readonly #now: () => number;
  readonly #notes = new UseNotes();

  constructor(steady: SteadyFile, maxBytes: number, readOnly: boolean, now: () => number) {
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
    for (const page of this.#isOff() ? [] : pagesOf(texts)) {
      const findings = await this.#steady.attempt('read', (file) => lookUp(file, space, page, this.#hour()));
      found.push(...(findings?.vectors ?? Array<undefined>(page.length).fill(undefined)));
      if (findings) await this.#take(findings);
      if (found.length < texts.length) await nextTurn();
    }
    return found.length === texts.length ? found : Array(texts.length).fill(undefined);
  }

  async put(space: string, entries: readonly CacheEntry[]): Promise<void> {
    if (this.#isOff() || this.#readOnly) return;
    for (const page of pagesOf(entries)) {
      const keyed = page.flatMap(keyedVector);
      if (keyed.length === 0) continue;
      const written = await this.#steady.attempt('write', (file) =>
        replaceVectors(file, space, keyed, this.#hour()),
      );
      if (written) await makeRoom(this.#steady, this.#maxBytes);
      if (entries.length > pageSize) await nextTurn();
    }
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

  async exportTo(file: string, options: ExportOptions = {}): Promise<ExportReport> {
    if (this.#exists()) return exportVectors(this.#steady.path, file, options);
    throw new QuarryError(
      'store-unusable',
      `There is no vector cache ${this.#steady.path} to export.`,
      'Run: quarry index, with cache.max_bytes above 0.',
    );
  }

  async importFrom(file: string, options: { signal?: AbortSignal | undefined } = {}): Promise<ImportReport> {
    if (this.#isOff() || this.#readOnly || !this.#exists()) {
      throw new QuarryError(
        'store-unusable',
        `The vector cache ${this.#steady.path} is turned off.`,
        'Set cache.max_bytes above 0.',
      );
    }
    const { signal } = options;
    const [steady, maxBytes, hour] = [this.#steady, this.#maxBytes, this.#hour()];
    return importVectors(file, { steady, maxBytes, hour, signal });
  }

  async clear(): Promise<number> {
    this.#notes.take();
    const removed = this.#exists() ? await this.#steady.demand('write', clearAll) : 0;
    await shrinkTo(this.#steady, 0);
    this.#steady.aside((file) => file.settle());
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

  async #take(findings: Findings): Promise<void> {
    this.#notes.add(findings);
    if (findings.useless.length > 0) {
      await this.#steady.attempt('write', (file) => removeRows(file, findings.useless));
    }
    if (this.#notes.areMany) await this.#writeNotes();
  }

  async #writeNotes(): Promise<void> {
    if (this.#notes.areNone) return;
    const notes = this.#notes.take();
    await this.#steady.attempt('write', (file) => notes.write(file, this.#hour()));
  }
}

function keyedVector({ text, vector }: CacheEntry): KeyedVector[] {
  const key = isUnitVector(vector) ? hashOfText(text) : undefined;
  return key ? [{ key, vector }] : [];
}

function* pagesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  if (items.length <= pageSize) {
    if (items.length > 0) yield items;
    return;
  }
  for (let start = 0; start < items.length; start += pageSize) yield items.slice(start, start + pageSize);
}
