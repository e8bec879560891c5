import { setImmediate as nextTurn } from 'node:timers/promises';
import { QuarryError } from '../../core/errors.ts';
import type { Replacement } from './replacement.ts';

/** Chunks in one commit; a document with more is committed alone. */
const maxChunks = 2_000;
/** Characters of their texts and values of their vectors in one commit, which are some bytes each. */
const maxData = 4_000_000;

/** A document that waits for its commit. */
interface Waiting {
  readonly put: Replacement;
  readonly outcome: PromiseWithResolvers<boolean>;
}

/**
 * Puts several documents in one commit, for a store in which a commit costs far more than a document: those that arrive
 * while one is under way wait, and go together into the next, in their order. One that must replace a certain entry is
 * committed alone, and two states of one document are never in one commit. Where a commit of several fails, each half
 * of them is tried, and so on, so that only those fail that are to blame.
 */
export function groupPuts(
  maxDocuments: number,
  commit: (group: readonly Replacement[]) => Promise<boolean>,
): (put: Replacement) => Promise<boolean> {
  const waiting: Waiting[] = [];
  let isCommitting = false;
  const commitAll = async (): Promise<void> => {
    isCommitting = true;
    while (waiting.length > 0) {
      await settle(waiting.splice(0, sizeOfGroup(waiting.slice(0, maxDocuments))), commit);
      // A caller whose document is committed may have the next one at hand.
      await nextTurn();
    }
    isCommitting = false;
  };
  return (put) => {
    const outcome = Promise.withResolvers<boolean>();
    waiting.push({ put, outcome });
    if (!isCommitting) void commitAll();
    return outcome.promise;
  };
}

/** How many of those that wait go into the next commit. */
function sizeOfGroup(waiting: readonly Waiting[]): number {
  const documents = new Set<string>();
  let chunks = 0;
  let data = 0;
  for (const [place, { put }] of waiting.entries()) {
    chunks += put.chunks.length;
    data += dataOf(put);
    if (place > 0 && (put.replaces || documents.has(put.document.id) || chunks > maxChunks || data > maxData))
      return place;
    if (put.replaces) return 1;
    documents.add(put.document.id);
  }
  return waiting.length;
}

function dataOf({ chunks, vectors }: Replacement): number {
  let sum = 0;
  for (const { chunk } of chunks) sum += chunk.text.length;
  for (const entries of vectors?.values() ?? []) for (const { vector } of entries) sum += vector.length;
  return sum;
}

/** Commits a group, or its halves where that fails, and so on; rejects never. */
async function settle(
  group: readonly Waiting[],
  commit: (group: readonly Replacement[]) => Promise<boolean>,
): Promise<void> {
  try {
    const isStored = await commit(group.map(({ put }) => put));
    for (const { outcome } of group) outcome.resolve(isStored);
  } catch (thrown) {
    if (group.length === 1 || isOfPlace(thrown)) {
      for (const { outcome } of group) outcome.reject(thrown);
      return;
    }
    const half = group.length >> 1;
    await settle(group.slice(0, half), commit);
    await settle(group.slice(half), commit);
  }
}

/** Whether no document is to blame, and each of them would wait for the same answer as long again. */
function isOfPlace(thrown: unknown): boolean {
  return thrown instanceof QuarryError && ['provider-unreachable', 'lock-lost'].includes(thrown.code);
}
