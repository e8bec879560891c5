import { anyVector } from './collection.ts';
import type { Opened } from './opened.ts';
import { placeOf } from './rows.ts';
import { isGone } from './server.ts';
import { momentBefore } from './stamps.ts';
import type { View } from './view.ts';

/** Milliseconds for which chunks that no document names stay: for readers of a former state, and writers on their way. */
export const grace = 300_000;
/** Milliseconds for which it is remembered that something is gone: for longer than any reader keeps what it knows. */
const memory = 1_800_000;
/** Milliseconds between two looks for chunks of writers that have ended before their commit. */
const betweenSweeps = 600_000;
const stampsAtOnce = 500;
const sweptId = 'swept';

/** Removes the chunks and vectors of documents that were replaced or removed a while ago, or never committed. */
export async function collectGarbage(opened: Opened, view: View): Promise<void> {
  const { records } = opened;
  const over = { at: { $lt: momentBefore(grace) } };
  const replaced = await records.get({
    where: { $and: [{ kind: 'garbage' }, over] },
    include: ['metadatas'],
  });
  await removeStamps(
    opened,
    view,
    replaced.map(({ metadata }) => String(metadata.stamp)),
  );
  const forgotten = await records.get({
    where: { $and: [{ kind: 'gone' }, { at: { $lt: momentBefore(memory) } }] },
  });
  const done = [...replaced, ...forgotten].map(({ id }) => id);
  if (done.length > 0) await records.delete({ ids: done });
  await sweep(opened, view);
}

/** Looks for chunks that came since the last sweep and that nothing names: their writer has ended before its commit. */
async function sweep(opened: Opened, view: View): Promise<void> {
  const { records, chunks } = opened;
  const [last] = await records.get({ ids: [sweptId], include: ['metadatas'] });
  const since = Number(last?.metadata.upTo ?? 0);
  const upTo = momentBefore(grace);
  if (upTo - since < betweenSweeps * 1000) return;
  const found = await chunks.get({ where: { $and: [{ first: { $gt: since } }, { first: { $lt: upTo } }] } });
  const unnamed = found.map(({ id }) => placeOf(id).stamp).filter((stamp) => !view.byStamp.has(stamp));
  const waiting = new Set<string>();
  if (unnamed.length > 0) {
    const garbage = await records.get({ where: { kind: 'garbage' }, include: ['metadatas'] });
    for (const { metadata } of garbage) waiting.add(String(metadata.stamp));
  }
  await removeStamps(
    opened,
    view,
    unnamed.filter((stamp) => !waiting.has(stamp)),
  );
  const metadata = { kind: 'swept', upTo };
  await records.upsert([{ id: sweptId, metadata, embedding: anyVector() }]);
}

async function removeStamps(
  { chunks, vectors }: Opened,
  view: View,
  stamps: readonly string[],
): Promise<void> {
  const unnamed = stamps.filter((stamp) => !view.byStamp.has(stamp));
  for (let start = 0; start < unnamed.length; start += stampsAtOnce) {
    const where = { stamp: { $in: unnamed.slice(start, start + stampsAtOnce) } };
    for (const space of view.spaces.values())
      await vectors(space)
        .delete({ where })
        .catch((thrown: unknown) => {
          if (!isGone(thrown)) throw thrown;
        });
    await chunks.delete({ where });
  }
}
