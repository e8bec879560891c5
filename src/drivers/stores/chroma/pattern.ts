import type { SearchBounds, StoreMatch, TextPattern } from '../../../contracts/store.ts';
import { bestHolders } from '../pattern-holders.ts';
import { patternCounter } from '../text-pattern.ts';
import { chunkFilter, rowLimit } from './filter.ts';
import { matchOf } from './matches.ts';
import type { Opened } from './opened.ts';
import type { View } from './view.ts';

/**
 * Chunks whose text holds the pattern, those that hold it most often first. Every text that passes the filter is read: what Chroma
 * could look through is their words.
 */
export async function searchPattern(
  { chunks }: Opened,
  view: View,
  pattern: TextPattern,
  { limit, filter }: SearchBounds,
): Promise<StoreMatch[]> {
  const count = patternCounter(pattern);
  const most = rowLimit(limit);
  const admitted = chunkFilter(filter, view);
  if (!count || most === 0 || !admitted) return [];
  const { where, admits } = admitted;
  async function* texts(): AsyncGenerator<StoreMatch[]> {
    for await (const page of chunks.pages({ where, include: ['metadatas'] }))
      yield page
        .flatMap((record) => matchOf(record, view, 0))
        .filter(({ document }) => isAdmitted(document.id));
  }
  const isAdmitted = (id: string) => admits(view.byId.get(id)?.stamp ?? '');
  return bestHolders(count, texts(), most);
}
