import type { ManifestEntry, Store } from '../../contracts/store.ts';
import type { IndexEvent } from '../../core/events.ts';
import { holdingsOf } from '../../index/holdings.ts';

/** Adds to the runs of a watch what others have indexed or deleted since the run before, so that each change is emitted once. */
export interface ChangesOfOthers {
  /** The events of a run, and before its vectors or its end those of others. `store` is the one that it writes. */
  addTo(run: AsyncIterable<IndexEvent>, store: () => Promise<Store>): AsyncGenerator<IndexEvent>;
}

/** At these the text is up to date; vectors may take hours. */
const endsOfText: readonly IndexEvent['type'][] = ['model-loading', 'index-waiting', 'index-end'];

/** Nothing is known yet. `isThere` says before the first run whether there may be an index. */
export function followOthers(isThere: () => boolean): ChangesOfOthers {
  /** The content of each indexed path, as it was when it was looked at last. */
  let known: Map<string, string> | undefined;
  let seen: { readonly store: Store; readonly revision: number } | undefined;
  /** What runs of the watch itself have emitted since. */
  const emitted = new Set<string>();

  const look = async (store: Store): Promise<IndexEvent[]> => {
    const state = await store.state();
    if (seen?.store === store && seen.revision === state.revision) return [];
    const { manifest } = await holdingsOf(store, state);
    const before = known;
    known = contentsOf(manifest.values(), before);
    seen = { store, revision: state.revision };
    const changed: IndexEvent[] = [];
    for (const [uri, content] of known)
      if (before && before.get(uri) !== content && !emitted.has(uri))
        changed.push({ type: 'document-indexed', uri, chunks: manifest.get(uri)?.chunks ?? 0 });
    for (const uri of before?.keys() ?? [])
      if (!known.has(uri) && !emitted.has(uri)) changed.push({ type: 'document-deleted', uri });
    emitted.clear();
    return changed;
  };

  const begin = async (store: () => Promise<Store>): Promise<void> => {
    try {
      if (isThere()) await look(await store());
      else known = new Map();
    } catch {
      // The run that follows says what is wrong with the index, or makes another one; what was there is known after it.
    }
  };

  return {
    async *addTo(run, store) {
      if (!known) await begin(store);
      let isScanned = false;
      for await (const event of run) {
        if (event.type === 'scan-end') isScanned = true;
        // What the scan leaves out it leaves out each time, whoever has removed it from the index.
        const uri = isScanned ? pathOf(event) : undefined;
        if (uri !== undefined) emitted.add(uri);
        if (isScanned && endsOfText.includes(event.type)) yield* await look(await store());
        yield event;
      }
    },
  };
}

/** The path that is in the index now, or is not any more, by an event of a run after its scan. */
function pathOf(event: IndexEvent): string | undefined {
  if (event.type === 'path-skipped') return event.skipped.uri;
  const isOfDocument = ['document-indexed', 'document-deleted', 'document-failed'].includes(event.type);
  return isOfDocument && 'uri' in event ? event.uri : undefined;
}

/** Of a file that fails now, what was indexed of it stays. */
function contentsOf(
  entries: Iterable<ManifestEntry>,
  before: ReadonlyMap<string, string> | undefined,
): Map<string, string> {
  const contents = new Map<string, string>();
  for (const { uri, status, contentHash } of entries) {
    const content = status === 'failed' ? before?.get(uri) : contentHash;
    if (status !== 'skipped' && content !== undefined) contents.set(uri, content);
  }
  return contents;
}
