import type { ManifestEntry, Store } from '../contracts/store.ts';
import type { IndexEvent, SkippedPath } from '../core/events.ts';
import type { Plan } from './plan.ts';
import { ageRule, oldestAdmitted } from './read-document.ts';
import { addCounts, countsOf, noCounts, type RunCounts } from './run-counts.ts';

/** Removes what is gone, and notes what the scan left out where that is news. */
export async function* forgetGone(
  store: Store,
  plan: Plan,
  leftOut: readonly SkippedPath[],
  manifest: ReadonlyMap<string, ManifestEntry>,
): AsyncGenerator<IndexEvent, RunCounts> {
  const gone = [...plan.toDelete, ...plan.toForget];
  // Every write moves the revision, and then others read the index again: so nothing is written without need.
  if (gone.length > 0) await store.deletePaths(gone);
  const events = plan.toDelete.map((uri) => ({ type: 'document-deleted', uri }) as const);
  yield* events;
  const news = leftOut.filter(({ uri, reason, rule }) => {
    const known = manifest.get(uri);
    // What was indexed of a path that cannot be looked at today is kept, and so is its entry.
    if (reason === 'unreadable' && known?.status === 'indexed') return false;
    return known?.status !== 'skipped' || known.reason !== reason || known.detail !== rule;
  });
  const nothing = { size: 0, modifiedAt: 0, contentHash: '', recipe: '', chunks: 0 };
  const entries = news.map(
    ({ uri, reason, rule }) => ({ ...nothing, uri, status: 'skipped', reason, detail: rule }) as const,
  );
  if (entries.length > 0) await store.putManifest(entries);
  return countsOf(events);
}

/** Leaves out what has grown too old since it was indexed. */
export async function* forgetOld(
  store: Store,
  maxAgeDays: Readonly<Record<string, number>>,
): AsyncGenerator<IndexEvent, RunCounts> {
  let counts = noCounts;
  for (const [type, days] of Object.entries(maxAgeDays)) {
    // Asked for by type alone, of which few are old: a store that looks at origins first would go through everything.
    const ofType = await store.documents({ types: [type], until: oldestAdmitted(days) });
    const old = ofType.filter(({ origin }) => origin !== 'virtual');
    if (old.length === 0) continue;
    const uris = new Set(old.map(({ uri }) => uri));
    const entries = (await store.manifest()).filter(({ uri }) => uris.has(uri));
    const rule = ageRule(type, days);
    await store.deletePaths([...uris]);
    await store.putManifest(
      entries.map((entry) => ({ ...entry, status: 'skipped', chunks: 0, reason: 'too-old', detail: rule })),
    );
    const events = [...uris].map(
      (uri) => ({ type: 'path-skipped', skipped: { uri, reason: 'too-old', rule } }) as const,
    );
    counts = addCounts(counts, countsOf(events));
    yield* events;
  }
  return counts;
}
