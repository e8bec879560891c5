import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Fences } from '../contracts/leases.ts';
import type { Changes, CommitSize, Committed, DocumentChange, Store } from '../contracts/store.ts';
import { QuarryError } from '../core/errors.ts';
import { assertEntries } from './assert-entries.ts';

/** What one commit of a store holds that does not say: it is over in some tens of milliseconds. */
const defaultSize: CommitSize = { documents: 16, chunks: 100 };
/** Characters of texts and values of vectors in one commit, which are some bytes each. */
const maxData = 4_000_000;

/** Changes that wait for their commit. */
interface Waiting {
  readonly changes: Changes;
  readonly fences: Fences | undefined;
  readonly outcome: PromiseWithResolvers<Committed>;
}

/** The fences of the leases that this process holds for what a store keeps. */
const carried = new WeakMap<Store, () => Fences | undefined>();

/** Lets every commit of a store carry these fences; they throw where a lease is known to be lost. */
export function carryFences(store: Store, fences: () => Fences | undefined): void {
  carried.set(store, fences);
}

/** The fences that the next commit of a store carries. */
export function fencesOf(store: Store): Fences | undefined {
  return carried.get(store)?.();
}

/** What waits for each store that has something to commit. */
const queues = new WeakMap<Store, Waiting[]>();

/** How many documents are best given to a store at once: where a commit takes long, so many that the next is full when one is over. */
export function documentsAtOnce({ commitSize }: Store): number {
  return commitSize ? 2 * commitSize.documents : defaultSize.documents;
}

/**
 * Commits changes after those that were asked for before. A commit costs more than a document, so that documents which wait
 * are committed together. Where that fails, each half of them is tried, and so on: only those fail that are to blame.
 */
export async function commit(store: Store, changes: Changes): Promise<Committed> {
  for (const { document, chunks } of changes.documents ?? []) assertEntries(document, chunks);
  const fences = changes.fences ?? fencesOf(store);
  const own = { changes, fences, outcome: Promise.withResolvers<Committed>() };
  const waiting = queues.get(store);
  if (waiting) waiting.push(own);
  else void commitAll(store, [own]);
  return own.outcome.promise;
}

async function commitAll(store: Store, waiting: Waiting[]): Promise<void> {
  queues.set(store, waiting);
  for (let [next] = waiting; next; [next] = waiting) {
    // In the next turn of the process, so that all whose files were read meanwhile are there.
    if (onlyDocuments(next.changes)) await nextTurn();
    await settle(store, waiting.splice(0, sizeOfGroup(waiting, store.commitSize ?? defaultSize)));
  }
  queues.delete(store);
}

/** How many of those that wait go into the next commit: documents of different paths, or one change of another kind. */
function sizeOfGroup(waiting: readonly Waiting[], max: CommitSize): number {
  const names = new Set<string>();
  let [documents, chunks, data] = [0, 0, 0];
  for (const [place, { changes, fences }] of waiting.entries()) {
    const given = onlyDocuments(changes);
    if (!given || fences !== waiting[0]?.fences) return Math.max(1, place);
    const isRepeated = given.some(({ document: { id, uri } }) => names.has(id) || names.has(uri));
    for (const change of given) {
      for (const name of [change.document.id, change.document.uri]) names.add(name);
      documents += 1;
      chunks += change.chunks.length;
      data += dataOf(change);
    }
    const isFull = documents > max.documents || chunks > max.chunks || data > maxData;
    if (place > 0 && (isRepeated || isFull)) return place;
  }
  return waiting.length;
}

/** The documents of changes that have nothing else. */
function onlyDocuments({ documents, fences: _, ...others }: Changes): readonly DocumentChange[] | undefined {
  return Object.values(others).every((other) => other === undefined) ? documents : undefined;
}

function dataOf({ chunks, vectors }: DocumentChange): number {
  let sum = 0;
  for (const { chunk } of chunks) sum += chunk.text.length;
  for (const entries of vectors?.values() ?? []) for (const { vector } of entries) sum += vector.length;
  return sum;
}

/** Commits a group, or its halves where that fails, and so on; rejects never. */
async function settle(store: Store, group: readonly Waiting[]): Promise<void> {
  try {
    const [first, ...others] = group;
    const changes =
      others.length === 0
        ? first?.changes
        : { documents: group.flatMap((each) => each.changes.documents ?? []) };
    const fences = first?.fences;
    const { removed, stored } = await store.commit({ ...changes, ...(fences && { fences }) });
    let place = 0;
    for (const { changes, outcome } of group) {
      const end = place + (changes.documents?.length ?? 0);
      outcome.resolve({ removed, stored: stored.slice(place, end) });
      place = end;
    }
  } catch (thrown) {
    if (group.length === 1 || isOfPlace(thrown)) {
      for (const { outcome } of group) outcome.reject(thrown);
      return;
    }
    const half = group.length >> 1;
    await settle(store, group.slice(0, half));
    await settle(store, group.slice(half));
  }
}

/** Whether no document is to blame, and each of them would wait for the same answer as long again. */
function isOfPlace(thrown: unknown): boolean {
  const codes = ['store-busy', 'provider-unreachable', 'server-unreachable', 'lock-lost'];
  return thrown instanceof QuarryError && codes.includes(thrown.code);
}
