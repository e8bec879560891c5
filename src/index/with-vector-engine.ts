import { join } from 'node:path';
import type { Store, VectorEntry, VectorsBySpace } from '../contracts/store.ts';
import type { VectorEngine } from '../contracts/vector-engine.ts';
import { asQuarryError, leavesText } from '../core/errors.ts';
import { documentId } from '../core/identity.ts';
import { assertVector } from '../core/vectors/assert-vector.ts';
import { closeAll } from '../platform/close-all.ts';
import { carryFences, fencesOf } from './commit.ts';
import { createEngineLock } from './engine-lock.ts';
import { EngineUpkeep } from './engine-upkeep.ts';
import { nearestChunks } from './nearest-chunks.ts';
import { type Marks, marksFor, ownerFact, type Table, VectorMarks } from './vector-marks.ts';

/** The file in the folder of an index that is the lock of those who change the engine. */
const lockFile = 'vectors.lock';
/** A space that the table never has. */
const noSpace = '';
/** A space that the engine never has. */
const absentSpace = 'absent';

/**
 * An index whose vectors an engine keeps: the table has everything else, and a mark for each text that has a vector. So
 * words, filters and counts never ask the engine. Vectors go to the engine first and are marked then, and what is removed
 * leaves the table first: what a crash leaves behind is in the engine alone, where nobody finds it and the upkeep removes it.
 */
export function withVectorEngine(table: Table, engine: VectorEngine, folder: string): Store {
  const marks = new VectorMarks(table, engine, folder);
  const lock = createEngineLock(join(folder, lockFile));
  const upkeep = new EngineUpkeep(table, engine, marks, lock);
  const tableSpace = async (space: string) => (await marks.find(space))?.tableSpace ?? noSpace;

  /** Sends vectors to the engine, and does the work that marks them while nobody removes what is not marked. */
  const adding = async <Result>(
    vectors: readonly (VectorsBySpace | undefined)[],
    mark: (marked: (given: VectorsBySpace | undefined) => VectorsBySpace) => Promise<Result>,
  ): Promise<Result> => {
    const given = new Map<string, VectorEntry[]>();
    for (const part of vectors)
      for (const [space, entries] of part ?? [])
        if (entries.length > 0) given.set(space, [...(given.get(space) ?? []), ...entries]);
    if (given.size === 0) return mark(() => new Map());
    // Before anything is made for them.
    for (const [space, entries] of given) assertVectors(await marks.find(space), entries);
    return lock.adding(async () => {
      const owned = new Map<string, Marks>();
      for (const [space, entries] of given) {
        const own = await marks.ensure(space, entries[0]?.vector.length ?? 0);
        assertVectors(own, entries);
        if (!(await engine.upsert(own.engineSpace, entries))) throw await marks.forget(own);
        owned.set(space, own);
      }
      return mark((part) => {
        const named = [...(part ?? [])].flatMap(([space, entries]) => {
          const own = owned.get(space);
          return own ? [[own.tableSpace, marksFor(entries)] as const] : [];
        });
        return new Map(named);
      });
    });
  };
  /** Those that the engine has: who checks the index finds out what it has lost. */
  const read = async (own: Marks, keys: readonly string[]): Promise<VectorEntry[]> => {
    const marked = [...(await table.keysWithVector(own.tableSpace, keys))];
    return marked.length === 0 ? [] : ((await engine.read(own.engineSpace, marked)) ?? []);
  };

  const changed: Partial<Store> = {
    async commit(changes) {
      const { removed = [], documents = [], vectors, droppedSpaces = [] } = changes;
      await upkeep.noteGoing([...removed.map(documentId), ...documents.map(({ document }) => document.id)]);
      const dropped = (await Promise.all(droppedSpaces.map((space) => marks.find(space)))).filter(
        (own) => own !== undefined,
      );
      const committed = await adding([...documents.map((change) => change.vectors), vectors], (marked) =>
        table.commit({
          ...changes,
          documents: documents.map((change) => ({ ...change, vectors: marked(change.vectors) })),
          vectors: marked(vectors),
          droppedSpaces: dropped.map(({ tableSpace: name }) => name),
        }),
      );
      // The upkeep drops what cannot be reached now.
      for (const { engineSpace } of dropped) await engine.drop(engineSpace).catch(unlessVectors);
      return committed;
    },
    missingVectors: async (space, limit, after) =>
      table.missingVectors(await tableSpace(space), limit, after),
    keysWithVector: async (space, keys) => table.keysWithVector(await tableSpace(space), keys),
    async vectorsOf(space, keys) {
      const own = await marks.find(space);
      return own ? read(own, keys) : [];
    },
    async searchVector(space, vector, bounds) {
      const own = await marks.find(space);
      if (!own) {
        // Why there is nothing: a server that may not be asked, or does not answer.
        await engine.count(absentSpace);
        return [];
      }
      assertVector(vector, own.dimensions);
      const found = await nearestChunks(table, engine, own, vector, bounds);
      if (!found) throw await marks.forget(own);
      return found;
    },
    async *prepareSearch(_space, options) {
      // The table readies its text; it has no vectors to ready.
      if (table.prepareSearch) yield* table.prepareSearch(noSpace, options);
      const lost = await upkeep.run();
      if (lost) throw lost;
    },
    async state() {
      const state = await table.state();
      const spaces = (await marks.all(state)).map(({ space, tableSpace: name, dimensions }) => {
        const embedded = state.spaces.get(name)?.embedded ?? 0;
        return [space, { dimensions, embedded }] as const;
      });
      return {
        ...state,
        spaces: new Map(spaces.sort(([one], [other]) => (one < other ? -1 : 1))),
        // The name of the index is of no use to a copy of it in another store.
        facts: new Map([...state.facts].filter(([name]) => name !== ownerFact)),
      };
    },
    close: () => closeAll([table, engine]),
  };
  // What is not changed the table has, so that both together are a whole store.
  const store = new Proxy(changed, {
    get(own, name) {
      if (name in own) return Reflect.get(own, name);
      const value = Reflect.get(table, name, table);
      return typeof value === 'function' ? value.bind(table) : value;
    },
  }) as Store;
  carryFences(table, () => fencesOf(store));
  return store;
}

function assertVectors(own: Marks | undefined, entries: readonly VectorEntry[]): void {
  const dimensions = own?.dimensions ?? entries[0]?.vector.length ?? 0;
  for (const { vector } of entries) assertVector(vector, dimensions);
}

/** Failures of vectors are left for another time. */
function unlessVectors(thrown: unknown): void {
  if (!leavesText(asQuarryError(thrown))) throw thrown;
}
