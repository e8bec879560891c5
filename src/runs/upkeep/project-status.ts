import type { ProjectStatus } from '../../calls/project.ts';
import type { IndexState, Store } from '../../contracts/store.ts';
import { documentTypes } from '../../index/document-types.ts';
import { holdingsOf } from '../../index/holdings.ts';
import { embeddedIn } from '../../index/state.ts';
import type { ProjectEmbedders } from '../../opening/embedders/project-embedders.ts';
import type { Settings } from '../../settings/settings.ts';

/** The state of an index, read from the store itself. */
export async function statusOf(
  folder: string,
  store: Store,
  embedders: ProjectEmbedders,
  settings: Settings,
  countStale: (store: Store, state: IndexState) => Promise<number>,
): Promise<ProjectStatus> {
  // An embedder that cannot be opened now is no reason to say nothing of the index.
  const space = await embedders.forQueries().then(
    ({ fingerprint }) => fingerprint,
    () => undefined,
  );
  // What an embedder refused that is no longer in use is left out; while it is unknown which are in use, all of it is listed.
  const spaces = await embedders.spaces();
  const { refusedChunks } = await import('../../indexing/refused-texts.ts');
  const state = await store.state();
  const [{ entries, paths }, bytes, types, refused] = await Promise.all([
    holdingsOf(store, state),
    store.bytes(),
    documentTypes(store, state),
    refusedChunks(store, (name) => spaces?.includes(name) ?? true, state),
  ]);
  const syncedAt = state.facts.get('synced-at');
  const embedded = space === undefined ? 0 : embeddedIn(state, space);
  return {
    folder,
    enabled: true,
    empty: state.isEmpty,
    counts: { documents: paths.length, chunks: state.chunks, embedded, bytes },
    types: Object.fromEntries(types),
    ...(syncedAt !== undefined && { syncedAt: Number(syncedAt) }),
    stale: await countStale(store, state),
    embedder: space ?? settings.embedder.driver,
    setAside: [],
    failed: entries.filter((entry) => entry.status === 'failed'),
    degraded: entries.filter((entry) => entry.reason === 'degraded'),
    skipped: entries.filter((entry) => entry.status === 'skipped'),
    refused,
  };
}

/** The state of a project that was never indexed. */
export function emptyStatus(folder: string, embedder: string, enabled = true): ProjectStatus {
  const counts = { documents: 0, chunks: 0, embedded: 0, bytes: 0 };
  const nothing = { setAside: [], failed: [], degraded: [], skipped: [], refused: { chunks: [], total: 0 } };
  return { folder, enabled, empty: true, counts, types: {}, stale: 0, embedder, ...nothing };
}
