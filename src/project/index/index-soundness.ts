import type { StoreDefect, StoreRepair } from '../../contracts/store.ts';
import { isVirtual } from '../../core/document.ts';
import { keptFileName } from '../../core/documents/kept-content.ts';
import { messageOf } from '../../core/errors.ts';
import { repairStore } from '../../index/repair.ts';
import { verifyStore } from '../../index/verify.ts';
import { keptFiles } from '../added/kept-folder.ts';
import type { KeptPlace } from '../added/kept-proof.ts';
import { repairKept } from '../added/kept-soundness.ts';
import { keepStored } from '../added/stored-content.ts';
import { isDamaged, isForeign, type ProjectIndex } from './project-index.ts';

/** What repairing a project's index did. */
export interface IndexRepair extends Omit<StoreRepair, 'salvaged'> {
  /** Added content that neither its own file nor the index holds as a whole; its file stays as it is. */
  readonly lost: readonly StoreDefect[];
  /** Whether nothing of it could be saved, so that it was rebuilt from the files. */
  readonly rebuilt: boolean;
}

/** Emits everything that is wrong with the index; one that cannot be read at all is a defect of its structure. */
export async function* verifyIndex(index: ProjectIndex, signal?: AbortSignal): AsyncGenerator<StoreDefect> {
  try {
    const store = await index.store();
    yield* verifyStore(store, { signal });
  } catch (thrown) {
    if (!isDamaged(thrown)) throw thrown;
    yield { kind: 'structure', detail: messageOf(thrown) };
  }
}

/** Repairs the index and then the files of added content, each with what the other still holds. */
export async function repairIndex(
  project: KeptPlace,
  index: ProjectIndex,
  signal?: AbortSignal,
): Promise<IndexRepair> {
  try {
    // Before anything is taken out of the index that nothing else holds.
    await keepStored(project, await index.store());
  } catch (thrown) {
    if (!isDamaged(thrown) && !isForeign(thrown)) throw thrown;
  }
  const repair = await repairOrRebuild(index, signal);
  const kept = await repairKept(project, await index.store(), signal);
  const names = new Set(await keptFiles(project.folder));
  const unkept = repair.removed.filter((uri) => isVirtual(uri) && !names.has(keptFileName(uri)));
  const lost = unkept.map(
    (uri) =>
      ({ kind: 'content', uri, detail: 'it was damaged in the index, and kept nowhere else' }) as const,
  );
  return { ...repair, repaired: [...repair.repaired, ...kept.repaired], lost: [...lost, ...kept.lost] };
}

/**
 * Repairs the index. Where its structure is damaged, the next index is filled with what can be read of it, or starts empty,
 * and takes its place in one step.
 */
async function repairOrRebuild(
  index: ProjectIndex,
  signal?: AbortSignal,
): Promise<Omit<IndexRepair, 'lost'>> {
  const candidate = index.candidate();
  try {
    const store = await index.store();
    const { salvaged, ...repair } = await repairStore(store, { signal, candidate: candidate.open });
    try {
      // Before it is released: a writer that waited then sees that another index answers, and writes there.
      if (salvaged) await candidate.answer();
    } finally {
      salvaged?.release();
    }
    return { ...repair, rebuilt: false };
  } catch (thrown) {
    if (!isDamaged(thrown)) throw thrown;
    await candidate.drop();
    await candidate.open();
    await candidate.answer();
    return { repaired: [{ kind: 'structure', detail: messageOf(thrown) }], removed: [], rebuilt: true };
  } finally {
    await candidate.drop();
  }
}
