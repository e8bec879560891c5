import type { Hit } from '../../core/hit.ts';

/** How hits are put together. */
export interface DocumentBounds {
  /** Hits to show. */
  readonly topK: number;
  /** Most chunks that one hit stands for. */
  readonly perDocument: number;
}

/** A hit in the making. */
interface Entry {
  readonly rank: number;
  readonly best: Hit;
  readonly more: Hit[];
}

/** A further chunk of a document is shown where it is among so many, or among those that would be hits by themselves. */
const mentioned = 20;

/**
 * One hit for each document, its best chunk, with further ones that are among the best of all. Where the documents are
 * fewer than the hits that are wanted, chunks that no hit stands for are hits of their own. The order does not change.
 */
export function byDocument(ranked: readonly Hit[], { topK, perDocument }: DocumentBounds): Hit[] {
  const max = Math.max(mentioned, topK);
  const documents = new Map<string, Entry>();
  const others: Entry[] = [];
  let ahead = 0;
  for (const [rank, best] of ranked.entries()) {
    const entry = { rank, best, more: [] };
    const unit = unitOf(best);
    const known = documents.get(unit);
    const isWithin = (known?.more.length ?? -1) + 1 < perDocument;
    if (!known) documents.set(unit, entry);
    else if (isWithin && ahead < max) known.more.push(best);
    else others.push(entry);
    if (isWithin) ahead += 1;
  }
  return [...documents.values(), ...others]
    .slice(0, topK)
    .sort((one, other) => one.rank - other.rank)
    .map(({ best, more }) => (more.length > 0 ? { ...best, more } : best));
}

/** Names what is one hit: a document, or a message, an event or a contact, which is as much a thing of its own as a file is. */
export function unitOf({ document, chunk: { place } }: Pick<Hit, 'document' | 'chunk'>): string {
  if (place.kind === 'messages') return `${document.id} ${place.first.message}`;
  return place.kind === 'entries' ? `${document.id} ${place.first.entry}` : document.id;
}

/** The chunks that hits stand for, in the order of the list that the hits come from. */
export function chunksOf(hits: readonly Hit[], ranked: readonly Hit[]): Hit[] {
  const shown = new Set(hits.flatMap(({ chunk, more = [] }) => [chunk, ...more.map((hit) => hit.chunk)]));
  return ranked.filter(({ chunk }) => shown.has(chunk));
}
