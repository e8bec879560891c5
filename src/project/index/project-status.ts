import type { Store } from '../../contracts/store.ts';
import type { ProjectEmbedders } from '../embedders/project-embedders.ts';
import type { ProjectStatus } from '../project.ts';
import type { Settings } from '../settings/settings.ts';

/** The state of an index, read from the store itself. */
export async function statusOf(
  folder: string,
  store: Store,
  embedders: ProjectEmbedders,
  settings: Settings,
  countStale: (store: Store) => Promise<number>,
): Promise<ProjectStatus> {
  // An embedder that cannot be opened now is no reason to say nothing of the index.
  const space = await embedders.forQueries().then(
    ({ fingerprint }) => fingerprint,
    () => undefined,
  );
  // What an embedder refused that is no longer in use is left out; while it is unknown which are in use, all of it is listed.
  const spaces = await embedders.spaces();
  const { refusedChunks } = await import('../../indexing/refused-texts.ts');
  const [counts, manifest, documents, syncedAt, refused] = await Promise.all([
    store.counts(space),
    store.manifest(),
    store.documents(),
    store.fact('synced-at'),
    refusedChunks(store, (name) => spaces?.includes(name) ?? true),
  ]);
  const types = new Map<string, number>();
  for (const { type } of documents) types.set(type, (types.get(type) ?? 0) + 1);
  return {
    folder,
    enabled: true,
    empty: counts.documents === 0,
    counts,
    types: Object.fromEntries(types),
    ...(syncedAt !== undefined && { syncedAt: Number(syncedAt) }),
    stale: await countStale(store),
    embedder: space ?? settings.embedder.driver,
    setAside: [],
    failed: manifest.filter((entry) => entry.status === 'failed'),
    degraded: manifest.filter((entry) => entry.reason === 'degraded'),
    skipped: manifest.filter((entry) => entry.status === 'skipped'),
    refused,
  };
}

/** The state of a project that was never indexed. */
export function emptyStatus(folder: string, embedder: string, enabled = true): ProjectStatus {
  const counts = { documents: 0, chunks: 0, embedded: 0, bytes: 0 };
  const nothing = { setAside: [], failed: [], degraded: [], skipped: [], refused: { chunks: [], total: 0 } };
  return { folder, enabled, empty: true, counts, types: {}, stale: 0, embedder, ...nothing };
}
