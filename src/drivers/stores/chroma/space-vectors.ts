import type { Collection } from './collection.ts';
import { placeOf, type StoredDocument } from './rows.ts';
import { overlap, type View } from './view.ts';

/** Which chunks have a vector in a space, by the stamps of their documents. */
export class SpaceVectors {
  readonly #ordinals = new Map<string, Set<number>>();
  #revision = -1;
  #writer = '';
  #count: number | undefined;

  /** Whether it knows all vectors of a state. */
  isAt({ revision, writer }: View): boolean {
    return this.#revision === revision && this.#writer === writer;
  }

  /** Says that nothing but what was added here has changed up to this state. */
  moveTo({ revision, writer }: View): void {
    this.#revision = revision;
    this.#writer = writer;
    this.#count = undefined;
  }

  /** Reads what was added since the last time. */
  async refresh(vectors: Collection, view: View): Promise<void> {
    if (this.isAt(view)) return;
    const where = this.#revision > 0 ? { at: { $gt: this.#revision - overlap * 1000 } } : undefined;
    for await (const page of vectors.pages({ where })) this.add(page.map(({ id }) => id));
    for (const stamp of this.#ordinals.keys()) if (!view.byStamp.has(stamp)) this.#ordinals.delete(stamp);
    this.moveTo(view);
  }

  /** Notes that these chunks have a vector. */
  add(ids: Iterable<string>): void {
    for (const id of ids) {
      const { stamp, ordinal } = placeOf(id);
      const known = this.#ordinals.get(stamp) ?? new Set();
      this.#ordinals.set(stamp, known.add(ordinal));
    }
    this.#count = undefined;
  }

  has(stamp: string, ordinal: number): boolean {
    return this.#ordinals.get(stamp)?.has(ordinal) ?? false;
  }

  /** How many chunks of a document have one. */
  of({ stamp }: StoredDocument): number {
    return this.#ordinals.get(stamp)?.size ?? 0;
  }

  /** How many chunks of all documents have one. */
  count(view: View): number {
    this.#count ??= [...view.byId.values()].reduce((sum, stored) => sum + this.of(stored), 0);
    return this.#count;
  }
}
