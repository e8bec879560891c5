import type { VectorEntry } from '../contracts/store.ts';
import type { VectorEngine } from '../contracts/vector-engine.ts';

/** Vectors that wait to be sent. */
interface Waiting {
  readonly entries: readonly VectorEntry[];
  readonly sent: PromiseWithResolvers<boolean>;
}

/**
 * Sends vectors of one space at a time to an engine, and what comes meanwhile together in the next call: a call costs a
 * server far more than a vector in it.
 */
export function groupedUpserts(engine: VectorEngine): VectorEngine['upsert'] {
  const waiting = new Map<string, Waiting[]>();
  const send = async (space: string, first: Waiting[]): Promise<void> => {
    for (let group = first; group.length > 0; group = waiting.get(space)?.splice(0) ?? []) {
      const entries = group.flatMap((each) => each.entries);
      try {
        const isThere = await engine.upsert(space, entries);
        for (const { sent } of group) sent.resolve(isThere);
      } catch (thrown) {
        for (const { sent } of group) sent.reject(thrown);
      }
    }
    waiting.delete(space);
  };
  return (space, entries) => {
    const own = { entries, sent: Promise.withResolvers<boolean>() };
    const others = waiting.get(space);
    if (others) others.push(own);
    else {
      waiting.set(space, []);
      void send(space, [own]);
    }
    return own.sent.promise;
  };
}
