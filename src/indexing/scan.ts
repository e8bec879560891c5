import type { RootTrouble, ScanOptions, Source, SourceFile } from '../contracts/source.ts';
import type { IndexState, ManifestEntry, Store } from '../contracts/store.ts';
import type { IndexEvent, SkippedPath } from '../core/events.ts';
import { setFact } from '../index/write.ts';

/** A change this recent may be followed by another one within the same tick of a coarse clock. */
export const settlingMilliseconds = 2000;

/** Every entry of the manifest is of a look after this moment, or of a file that had not changed since by then. */
const scannedFact = 'scanned-at';

/** What a walk of the source found. */
export interface Scan {
  /** When it began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Whether it was of some paths only. */
  readonly isPartial: boolean;
  readonly files: readonly SourceFile[];
  readonly skipped: readonly SkippedPath[];
  readonly troubles: readonly RootTrouble[];
}

/** Walks the source once, and reports what is left out. */
export async function* scanSource(
  source: Source,
  { only, signal }: ScanOptions,
): AsyncGenerator<IndexEvent, Scan> {
  const startedAt = Date.now();
  const files: SourceFile[] = [];
  const skipped: SkippedPath[] = [];
  const troubles: RootTrouble[] = [];
  for await (const entry of source.scan({ only, signal })) {
    if (entry.kind === 'file') files.push(entry.file);
    else {
      skipped.push(entry.skipped);
      if (entry.trouble) troubles.push(entry.trouble);
      yield { type: 'path-skipped', skipped: entry.skipped };
    }
  }
  return { startedAt, isPartial: only !== undefined, files, skipped, troubles };
}

/** Files of a walk that was made before, in place of a walk. */
export function scanOfChosen(files: readonly SourceFile[]): Scan {
  return { startedAt: Date.now(), isPartial: true, files, skipped: [], troubles: [] };
}

/** What an index knows of previous scans; a file that changed meanwhile is read, even with its old size and time. */
export interface ScanMemory {
  /** Milliseconds since 1970; undefined where no scan of everything has ended yet. */
  readonly scannedAt: number | undefined;
}

/** When the index was last compared with everything. */
export function scannedAt({ facts }: IndexState): number | undefined {
  const noted = Number(facts.get(scannedFact) ?? Number.NaN);
  return Number.isFinite(noted) ? noted : undefined;
}

/**
 * Whether a file may have other content although its size and time are those of before: unpackers, `rsync -t` and
 * `cp -p` set the time, but nothing sets that of the change itself. It is compared with the moment of the last scan, so
 * that the manifest need not keep it for every file.
 *
 * A time after the beginning of this scan says nothing yet and is left to a later one, to which it is past: so files
 * from the future of a wrong clock, and file systems that invent the present time at every look, are not read again
 * and again. Those that know no such time at all give 0, which is before every scan: for them size and time decide.
 */
export function mayHaveChanged({ changedAt }: SourceFile, { startedAt }: Scan, memory: ScanMemory): boolean {
  if (changedAt === undefined || memory.scannedAt === undefined) return false;
  return changedAt > memory.scannedAt - settlingMilliseconds && changedAt < startedAt + 1;
}

/** Begins the memory of an index that has none, so that a first run that is stopped is gone on with safely. */
export async function noteFirstScan(
  store: Store,
  { startedAt }: Scan,
  { scannedAt, manifest }: ScanMemory & { readonly manifest: ReadonlyMap<string, ManifestEntry> },
): Promise<void> {
  if (scannedAt === undefined && manifest.size === 0) await setFact(store, scannedFact, String(startedAt));
}

/**
 * Remembers a scan whose findings have all been taken in. One that found nothing to read is not worth a write: whatever
 * the memory before it calls unchanged still is.
 */
export async function noteScan(
  store: Store,
  { startedAt, isPartial }: Scan,
  { scannedAt }: ScanMemory,
  { toRead }: { readonly toRead: readonly SourceFile[] },
): Promise<void> {
  if (isPartial || (toRead.length === 0 && scannedAt !== undefined && scannedAt <= startedAt)) return;
  await setFact(store, scannedFact, String(startedAt));
}
