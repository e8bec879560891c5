import type { DriverContext } from '../../../contracts/driver.ts';
import { once } from '../../../platform/once.ts';
import type { SharedRecords } from '../leases.ts';
import { anyVector, type Collection } from './collection.ts';
import { projectCollection } from './layout.ts';
import type { Location } from './location.ts';
import { chromaServer, isGone } from './server.ts';

/** The records of a project that belong to no index: its locks, and which index answers. */
export interface Records extends SharedRecords {
  write(key: string, value: string): Promise<void>;
}

/** A value of a lock; the next one has the next number. */
interface Link {
  readonly number: number;
  readonly value: string;
}

/**
 * Opens the records; they are made again where they were taken away. Chroma replaces a record whatever it holds, but it adds
 * none whose id is taken: so each value of a lock is a record of its own with the next number, and of two writers that
 * follow the same value one comes too late.
 */
export function openRecords(location: Location, context: DriverContext): Records {
  const server = chromaServer(location, context);
  const opening = once(() => projectCollection(server, location));
  const guarded = async <Result>(work: (collection: Collection) => Promise<Result>): Promise<Result> => {
    try {
      return await work(await opening());
    } catch (thrown) {
      if (!isGone(thrown)) throw thrown;
      await opening.close();
      return work(await opening());
    }
  };
  const last = async (collection: Collection, key: string): Promise<Link | undefined> => {
    const found = await collection.get({ where: { key }, include: ['metadatas'] });
    return found
      .map(({ metadata }) => ({ number: Number(metadata.number), value: String(metadata.value) }))
      .reduce<Link | undefined>((most, link) => (most && most.number > link.number ? most : link), undefined);
  };
  const record = (key: string, { number, value }: Link) => ({
    id: `${key}:${number}`,
    metadata: { key, number, value },
    embedding: anyVector(),
  });
  return {
    read: (key) => guarded(async (collection) => (await last(collection, key))?.value),
    replace: (key, expected, value) =>
      guarded(async (collection) => {
        const present = await last(collection, key);
        if (present?.value !== expected) return false;
        const next = { number: (present?.number ?? 0) + 1, value };
        await collection.add(record(key, next));
        const newest = await last(collection, key);
        // One that was paused may add a number that others have passed and removed.
        if (newest?.number !== next.number || newest.value !== value) {
          if (newest && newest.number > next.number)
            await collection.delete({ where: { $and: [{ key }, { number: { $lt: newest.number } }] } });
          return false;
        }
        await collection.delete({ where: { $and: [{ key }, { number: { $lt: next.number } }] } });
        return true;
      }),
    write: (key, value) => guarded((collection) => collection.upsert([record(key, { number: 1, value })])),
    close() {
      void opening.close();
      server.close();
    },
  };
}
