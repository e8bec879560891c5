import type { IndexState, Store } from '../contracts/store.ts';
import type { VectorSource } from '../contracts/vector-source.ts';
import { embeddedIn, pendingIn } from '../index/state.ts';
import { dropSpace } from '../index/write.ts';
import { refusedChunks } from './refused-texts.ts';

/** The spaces that are kept up to date, in order; undefined for an embedder that cannot be opened now. */
export function openSpaces(
  vectors: readonly (() => Promise<VectorSource>)[],
): Promise<(string | undefined)[]> {
  const spaceOf = async (open: () => Promise<VectorSource>) => (await open()).embedder.fingerprint;
  // The run itself says why it cannot be opened.
  return Promise.all(vectors.map((open) => spaceOf(open).catch(() => undefined)));
}

/** Chunks that have no vector in one of these spaces, each counted as often as it has none. */
export function missingVectors(state: IndexState, spaces: readonly (string | undefined)[]): number {
  let missing = 0;
  for (const space of spaces) if (space !== undefined) missing += pendingIn(state, space);
  return missing;
}

/** Spaces of embedders that are not in use; none while one that is in use is unknown. */
export function previousSpaces(state: IndexState, spaces: readonly (string | undefined)[]): string[] {
  if (spaces.includes(undefined)) return [];
  return [...state.spaces.keys()].filter((space) => !spaces.includes(space));
}

/** Once the space in use is as complete as it will be, vectors of models that are no longer named are not needed. */
export async function dropPreviousSpaces(
  store: Store,
  spaces: readonly (string | undefined)[],
  state: IndexState,
): Promise<void> {
  const [inUse = ''] = spaces;
  const previous = previousSpaces(state, spaces);
  if (previous.length === 0) return;
  const embedded = embeddedIn(state, inUse);
  const refused =
    embedded < state.chunks ? await refusedChunks(store, (space) => space === inUse, state) : { total: 0 };
  if (embedded + refused.total < state.chunks) return;
  for (const space of previous) await dropSpace(store, space);
}
