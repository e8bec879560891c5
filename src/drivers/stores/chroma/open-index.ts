import { randomUUID } from 'node:crypto';
import type { DriverContext } from '../../../contracts/driver.ts';
import { once } from '../../../platform/once.ts';
import { createTurns } from '../../../platform/turns.ts';
import { closedStore } from '../admission.ts';
import { checkLeases } from '../leases.ts';
import { TokensOfAll } from './chunk-tokens.ts';
import { anyVector, Collection, type NewRecord, removeCollection } from './collection.ts';
import { collectGarbage } from './garbage.ts';
import { collectionName, makeSpaceCollection, openCollections } from './layout.ts';
import { type Location, placeOf } from './location.ts';
import type { Commit, Opened } from './opened.ts';
import type { Space } from './rows.ts';
import { type ChromaServer, chromaServer, isGone } from './server.ts';
import { SpaceVectors } from './space-vectors.ts';
import { nextMoment, stampOf } from './stamps.ts';
import { readView, type View } from './view.ts';

/** Writes between two removals of what belongs to no document any more. */
const writesBetweenCollections = 50;

/** An index that is open. */
export class ChromaIndex {
  readonly #server: ChromaServer;
  readonly #place: string;
  readonly #open: ReturnType<typeof once<Opened>>;
  readonly #writer = randomUUID();
  readonly #embedded = new Map<string, SpaceVectors>();
  readonly #turns = createTurns();
  readonly #tokens = new TokensOfAll();
  #view: View | undefined;
  #writes = 0;
  #isClosed = false;

  constructor(location: Location, context: DriverContext, name: string) {
    const server = chromaServer(location, context);
    this.#server = server;
    this.#place = placeOf(location);
    this.#open = once(async () => {
      const collections = await openCollections(server, location, name);
      const vectors = ({ collection, id }: Space) => new Collection(server, { id, name: collection });
      return {
        ...collections,
        vectors,
        embedded: async (space, view) => {
          const known = this.#embedded.get(space.id) ?? new SpaceVectors();
          this.#embedded.set(space.id, known);
          await known.refresh(vectors(space), view);
          return known;
        },
        noteVectors: ({ id }, added) => this.#embedded.get(id)?.add(added.map((record) => record.id)),
        tokens: (view) => this.#tokens.read(collections.chunks, view),
        makeSpace: async (spaceName, dimensions) => {
          const own = collectionName(location, name, `vectors-${stampOf(nextMoment(0))}`);
          const { id } = await makeSpaceCollection(server, own);
          return { name: spaceName, collection: own, id, dimensions };
        },
        removeSpace: ({ collection }) => removeCollection(server, collection),
      };
    });
  }

  /** Work that changes nothing. */
  async read<Result>(work: (opened: Opened, view: View) => Promise<Result>): Promise<Result> {
    return this.#guarded(async (opened) => {
      const view = await this.#viewOf(opened);
      view.users += 1;
      try {
        return await work(opened, view);
      } finally {
        view.users -= 1;
      }
    });
  }

  /** Work that needs nothing of what is known of documents. */
  async readRecords<Result>(work: (records: Collection) => Promise<Result>): Promise<Result> {
    return this.#guarded(({ records }) => work(records));
  }

  /** Work that ends in a commit; the writes of this process follow each other. */
  async write<Result>(
    work: (opened: Opened, view: View, commit: Commit) => Promise<Result>,
  ): Promise<Result> {
    return this.#turns(() =>
      this.#guarded(async (opened) => {
        await checkLeases(this.#place);
        if (this.#writes % writesBetweenCollections === 0)
          await collectGarbage(opened, await this.#viewOf(opened));
        this.#writes += 1;
        const view = await this.#viewOf(opened);
        view.users += 1;
        try {
          return await work(opened, view, (records) => this.#commit(opened, view, records));
        } finally {
          view.users -= 1;
        }
      }),
    );
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#turns.over();
    await this.#open.close();
    this.#server.close();
  }

  async #commit({ records }: Opened, view: View, changes: (moment: number) => NewRecord[]): Promise<void> {
    const moment = nextMoment(view.revision);
    const changed = changes(moment);
    // Chunks that came before it are seen by nobody.
    await checkLeases(this.#place);
    const state = {
      id: 'state',
      metadata: { kind: 'state', at: moment, writer: this.#writer },
      embedding: anyVector(),
    };
    await records.upsert([...changed, state]);
    // Where nobody else has written meanwhile, the new state is known without reading it.
    if (this.#view !== view) return;
    const current = [...this.#embedded.values()].filter((known) => known.isAt(view));
    this.#view = view.after(changed, moment, this.#writer);
    for (const known of current) known.moveTo(this.#view);
  }

  async #guarded<Result>(work: (opened: Opened) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw closedStore();
    try {
      return await work(await this.#open());
    } catch (thrown) {
      // What a failed write has changed is not known; what was taken away is opened anew by the next call.
      this.#view = undefined;
      if (isGone(thrown)) {
        this.#embedded.clear();
        await this.#open.close();
      }
      throw thrown;
    }
  }

  async #viewOf({ records }: Opened): Promise<View> {
    const view = await readView(records, this.#view);
    this.#view = view;
    return view;
  }
}
