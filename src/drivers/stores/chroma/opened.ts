import type { ChunkTokens } from './chunk-tokens.ts';
import type { Collection, NewRecord } from './collection.ts';
import type { IndexCollections } from './layout.ts';
import type { Space } from './rows.ts';
import type { SpaceVectors } from './space-vectors.ts';
import type { View } from './view.ts';

/** What one call of the store works with. */
export interface Opened extends IndexCollections {
  /** The collection of a space. */
  vectors(space: Space): Collection;
  /** Which chunks have a vector in a space, as far as the view knows chunks. */
  embedded(space: Space, view: View): Promise<SpaceVectors>;
  /** Says which chunks have got a vector here, so that it need not be read. */
  noteVectors(space: Space, records: readonly NewRecord[]): void;
  /** The words of all chunks; for an index that is not large. */
  tokens(view: View): Promise<ChunkTokens[]>;
  /** Makes the collection of a new space; the record of the space is still to be written. */
  makeSpace(name: string, dimensions: number): Promise<Space>;
  /** Removes the collection of a space that no record names any more. */
  removeSpace(space: Space): Promise<void>;
}

/** What a write changes in the end: these records together, in one step. */
export type Commit = (records: (moment: number) => NewRecord[]) => Promise<void>;
