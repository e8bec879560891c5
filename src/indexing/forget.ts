import type { ChunkEntry, IndexState, ManifestEntry, Store } from '../contracts/store.ts';
import { type Chunk, embeddedText } from '../core/chunk.ts';
import type { DocumentRecord } from '../core/document.ts';
import { ageRule, oldestAdmitted } from '../core/documents/age-rule.ts';
import type { IndexEvent, SkippedPath } from '../core/events.ts';
import { chunkIds, embeddingKey } from '../core/identity.ts';
import { chunksOf } from '../index/chunks-of.ts';
import { commit } from '../index/commit.ts';
import { holdingsOf } from '../index/holdings.ts';
import { deletePaths, putDocument, putManifest } from '../index/write.ts';
import { ageNote, withAgeNote } from './dated-messages.ts';
import type { Plan } from './plan.ts';
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
  if (gone.length > 0) await deletePaths(store, gone);
  const events = plan.toDelete.map((uri) => ({ type: 'document-deleted', uri }) as const);
  yield* events;
  const news = newlyLeftOut(leftOut, manifest);
  const nothing = { size: 0, modifiedAt: 0, contentHash: '', recipe: '', chunks: 0 };
  const entries = news.map(
    ({ uri, reason, rule }) => ({ ...nothing, uri, status: 'skipped', reason, detail: rule }) as const,
  );
  if (entries.length > 0) await putManifest(store, entries);
  return countsOf(events);
}

/** Paths that were left out for the first time, or for another reason than before. */
export function newlyLeftOut(
  leftOut: readonly SkippedPath[],
  manifest: ReadonlyMap<string, ManifestEntry>,
): SkippedPath[] {
  return leftOut.filter(({ uri, reason, rule }) => {
    const known = manifest.get(uri);
    // What was indexed of a path that cannot be looked at today is kept, and so is its entry.
    if (reason === 'unreadable' && known?.status === 'indexed') return false;
    return known?.status !== 'skipped' || known.reason !== reason || known.detail !== rule;
  });
}

/** Ages are counted in days: an index that has not changed is looked through once an hour. */
const lookAgainAfter = 3_600_000;

/** When nothing too old was found in a revision of an index. */
const allYoung = new WeakMap<
  Store,
  { readonly revision: number; readonly limits: string; readonly at: number }
>();

/** Leaves out what has grown too old since it was indexed: whole documents, and single messages of the others. */
export async function* forgetOld(
  store: Store,
  maxAgeDays: Readonly<Record<string, number>>,
  { revision }: IndexState,
): AsyncGenerator<IndexEvent, RunCounts> {
  let counts = noCounts;
  const limits = JSON.stringify(maxAgeDays);
  const known = allYoung.get(store);
  const isKnown = known?.revision === revision && known.limits === limits;
  if (isKnown && Date.now() - known.at < lookAgainAfter) return counts;
  let isYoung = true;
  for (const [type, days] of Object.entries(maxAgeDays)) {
    const oldest = oldestAdmitted(days);
    // Asked for by type alone, of which few are old: a store that looks at origins first would go through everything.
    const ofType = await store.documents({ types: [type], until: oldest });
    const old = ofType.filter(({ origin }) => origin !== 'virtual');
    if (old.length === 0) continue;
    isYoung = false;
    const { manifest } = await holdingsOf(store);
    const rule = ageRule(type, days);
    const whole = old.filter(({ modifiedAt }) => modifiedAt < oldest);
    const events: IndexEvent[] = await forgetDocuments(store, whole, manifest, rule);
    for (const document of old.filter((one) => !whole.includes(one)))
      events.push(...(await forgetMessages(store, document, manifest.get(document.uri), { oldest, rule })));
    counts = addCounts(counts, countsOf(events));
    yield* events;
  }
  if (isYoung) allYoung.set(store, { revision, limits, at: Date.now() });
  return counts;
}

async function forgetDocuments(
  store: Store,
  documents: readonly DocumentRecord[],
  manifest: ReadonlyMap<string, ManifestEntry>,
  rule: string,
): Promise<IndexEvent[]> {
  if (documents.length === 0) return [];
  const uris = documents.map(({ uri }) => uri);
  const entries = uris.flatMap((uri) => manifest.get(uri) ?? []);
  await commit(store, {
    removed: uris,
    manifest: entries.map((entry) => ({
      ...entry,
      status: 'skipped',
      chunks: 0,
      reason: 'too-old',
      detail: rule,
    })),
  });
  return uris.map((uri) => ({ type: 'path-skipped', skipped: { uri, reason: 'too-old', rule } }));
}

/** Takes the chunks of old messages out of a document; the file need not be read for that. */
async function forgetMessages(
  store: Store,
  document: DocumentRecord,
  entry: ManifestEntry | undefined,
  { oldest, rule }: { readonly oldest: number; readonly rule: string },
): Promise<IndexEvent[]> {
  const chunks = await chunksOf(store, document.id);
  const isOld = ({ writtenAt = document.modifiedAt }: Chunk) => writtenAt < oldest;
  const left = new Set(chunks.filter(isOld).map(messageOf));
  const young = chunks.filter((chunk) => !isOld(chunk));
  const tooOld = Number(document.metadata.messages_too_old ?? 0) + left.size;
  const total = Number(document.metadata.messages ?? tooOld + new Set(young.map(messageOf)).size);
  const note = ageNote(tooOld, total, rule);
  if (!entry || left.size === 0) return [];
  const isStored = await putDocument(store, {
    document: { ...document, metadata: { ...document.metadata, messages: total, messages_too_old: tooOld } },
    chunks: renumbered(document.uri, young),
    manifest: { ...entry, chunks: young.length, reason: 'degraded', detail: withAgeNote(entry.detail, note) },
    replaces: entry,
  });
  return isStored ? [{ type: 'document-degraded', uri: document.uri, reason: note }] : [];
}

/** What distinguishes the message of a chunk from others: its number, else its time. */
function messageOf({ place, writtenAt }: Chunk): number | undefined {
  return place.kind === 'messages' ? place.first.message : writtenAt;
}

function renumbered(uri: string, chunks: readonly Chunk[]): ChunkEntry[] {
  const ids = chunkIds(
    uri,
    chunks.map(({ text }) => text),
  );
  return chunks.map((chunk, ordinal) => ({
    chunk: { ...chunk, ordinal, id: ids[ordinal] ?? chunk.id },
    embeddingKey: embeddingKey(embeddedText(chunk)),
  }));
}
