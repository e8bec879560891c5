import type { Store } from '../contracts/store.ts';
import { asQuarryError, leavesText } from '../core/errors.ts';
import { addVectors } from './write.ts';

/** A text that has moved: the same chunk under another path has another key. */
export interface VectorMove {
  readonly from: string;
  readonly to: string;
}

/** Copies the vectors of moved texts to their new keys, in every space that has the old ones and lacks the new ones. */
export async function copyMovedVectors(store: Store, moves: readonly VectorMove[]): Promise<void> {
  if (moves.length === 0) return;
  const { spaces } = await store.state();
  for (const space of spaces.keys()) {
    const present = await store.keysWithVector(
      space,
      moves.map(({ to }) => to),
    );
    const lacking = moves.filter(({ to }) => !present.has(to));
    try {
      await copyVectors(store, space, lacking);
    } catch (thrown) {
      // The text is indexed all the same; the run that makes its vector says why it has none.
      if (!leavesText(asQuarryError(thrown))) throw thrown;
    }
  }
}

async function copyVectors(store: Store, space: string, moves: readonly VectorMove[]): Promise<void> {
  const found = await store.vectorsOf(
    space,
    moves.map(({ from }) => from),
  );
  const vectors = new Map(found.map(({ embeddingKey, vector }) => [embeddingKey, vector]));
  const entries = moves.flatMap(({ from, to }) => {
    const vector = vectors.get(from);
    return vector ? [{ embeddingKey: to, vector }] : [];
  });
  if (entries.length > 0) await addVectors(store, space, entries);
}
