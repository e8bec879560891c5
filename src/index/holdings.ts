import type { IndexState, ManifestEntry, Store } from '../contracts/store.ts';

/** What an index holds of each path. */
export interface Holdings {
  readonly entries: readonly ManifestEntry[];
  readonly manifest: ReadonlyMap<string, ManifestEntry>;
  /** Uris that have a document, sorted. */
  readonly paths: readonly string[];
  readonly stored: ReadonlySet<string>;
}

/** More paths are read again each time: about 60 MiB of memory is the most that is held. */
const maxPaths = 50_000;

const known = new WeakMap<Store, { readonly revision: number; readonly holdings: Holdings }>();

/**
 * The manifest and the paths of an index, read once for each revision: who looks after an index asks for them again and again, and nearly always
 * nothing has changed. The same revision gives the same object, which callers leave as it is.
 */
export async function holdingsOf(store: Store, state?: IndexState): Promise<Holdings> {
  const { revision } = state ?? (await store.state());
  const before = known.get(store);
  if (before?.revision === revision) return before.holdings;
  const [entries, paths] = await Promise.all([store.manifest(), store.paths()]);
  const holdings = {
    entries,
    manifest: new Map(entries.map((entry) => [entry.uri, entry])),
    paths,
    stored: new Set(paths),
  };
  // What another process has changed since the state was read has a higher revision, and is read again.
  if (entries.length + paths.length <= 2 * maxPaths) known.set(store, { revision, holdings });
  else known.delete(store);
  return holdings;
}

/** What holds of a store without any path. */
export const noHoldings: Holdings = { entries: [], manifest: new Map(), paths: [], stored: new Set() };
