import type { StoreDefect, StoreRepair } from '../../contracts/store.ts';
import { messageOf, QuarryError } from '../../core/errors.ts';
import type { IndexEvent } from '../../core/events.ts';
import { isDamaged, type ProjectIndex } from './project-index.ts';

/** What mending a project's index did. */
export interface IndexRepair extends StoreRepair {
  /** Whether the file was beyond mending, was set aside and made anew from the files. */
  readonly rebuilt: boolean;
}

/** Tells everything that is wrong with the index; one that cannot even be read is told as a defect of its structure. */
export async function* verifyIndex(index: ProjectIndex, signal?: AbortSignal): AsyncGenerator<StoreDefect> {
  try {
    const store = await index.store();
    if (!store.verify) throw notOffered('check');
    yield* store.verify(signal ? { signal } : {});
  } catch (thrown) {
    if (!isDamaged(thrown)) throw thrown;
    yield { kind: 'structure', detail: messageOf(thrown) };
  }
}

/** Whether anything is wrong with the index now: another process may have mended it while a lock was waited for. */
export async function isDefective(index: ProjectIndex, signal?: AbortSignal): Promise<boolean> {
  for await (const _ of verifyIndex(index, signal)) return true;
  return false;
}

/** Mends the index, then lets a run bring back what had to be taken out. Vectors come from the cache where it has them. */
export async function* repairIndex(
  index: ProjectIndex,
  run: () => AsyncGenerator<IndexEvent>,
  signal?: AbortSignal,
): AsyncGenerator<IndexEvent, IndexRepair> {
  let repair: IndexRepair;
  try {
    const store = await index.store();
    if (!store.repair) throw notOffered('repair');
    repair = { ...(await store.repair(signal ? { signal } : {})), rebuilt: false };
  } catch (thrown) {
    if (!isDamaged(thrown)) throw thrown;
    await index.discard();
    repair = { mended: [{ kind: 'structure', detail: messageOf(thrown) }], removed: [], rebuilt: true };
  }
  yield* run();
  return repair;
}

function notOffered(what: 'check' | 'repair'): QuarryError {
  return new QuarryError(
    'capability-missing',
    `This store cannot ${what} itself.`,
    'Rebuild the index from the files, with: quarry index --full',
  );
}
