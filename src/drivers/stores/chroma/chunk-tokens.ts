import type { Collection } from './collection.ts';
import { placeOf } from './rows.ts';
import type { View } from './view.ts';

/** Stamps in one condition. */
const stampsAtOnce = 500;

/** A chunk with its words as tokens. */
export interface ChunkTokens {
  readonly id: string;
  readonly tokens: string;
}

/** The words of all chunks, by the stamps of their documents: what was read once need not be read again. */
export class TokensOfAll {
  #byStamp: ReadonlyMap<string, ChunkTokens[]> = new Map();

  /** The words of every chunk of a state. */
  async read(chunks: Collection, view: View): Promise<ChunkTokens[]> {
    const known = new Map<string, ChunkTokens[]>();
    const unread: string[] = [];
    for (const [stamp, { chunks: count }] of view.byStamp) {
      const there = this.#byStamp.get(stamp);
      if (there) known.set(stamp, there);
      else if (count > 0) unread.push(stamp);
    }
    for (let start = 0; start < unread.length; start += stampsAtOnce) {
      const where = { stamp: { $in: unread.slice(start, start + stampsAtOnce) } };
      for await (const page of chunks.pages({ where, include: ['documents'] })) {
        for (const { id, document: tokens } of page) {
          const { stamp } = placeOf(id);
          const ofStamp = known.get(stamp) ?? [];
          ofStamp.push({ id, tokens });
          known.set(stamp, ofStamp);
        }
      }
    }
    this.#byStamp = known;
    return [...known.values()].flat();
  }
}
