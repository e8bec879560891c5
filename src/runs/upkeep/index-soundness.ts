import { keptFiles } from '../../added/kept-folder.ts';
import type { KeptPlace } from '../../added/kept-proof.ts';
import { addedPaths, repairKept } from '../../added/kept-soundness.ts';
import { keepStored } from '../../added/stored-content.ts';
import type { IndexRepair } from '../../calls/project.ts';
import type { Store, StoreDefect } from '../../contracts/store.ts';
import { keptFileName } from '../../core/documents/kept-content.ts';
import { asQuarryError, messageOf, QuarryError } from '../../core/errors.ts';
import type { IndexEvent } from '../../core/events.ts';
import { repairStore, type StoreRepair, salvageVectors } from '../../index/repair.ts';
import { verifyStore } from '../../index/verify.ts';
import { isDamaged, isForeign, type ProjectIndex } from '../indexes/project-index.ts';

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

/**
 * Repairs the index, and the files of added content by what the index still holds. Where the index is damaged as a whole,
 * another one is filled with the text of all files and the vectors that can be read, and takes its place in one step.
 */
export async function* repairIndex(
  project: KeptPlace,
  index: ProjectIndex,
  fill: (store: Store) => AsyncIterable<IndexEvent>,
  signal?: AbortSignal,
): AsyncGenerator<IndexEvent, IndexRepair> {
  const store = await index.store().catch((thrown: unknown) => {
    if (!isDamaged(thrown)) throw thrown;
    return asQuarryError(thrown);
  });
  const damaged = store instanceof QuarryError ? undefined : store;
  const added = await addedPaths(damaged);
  // Before anything is taken out of the index that nothing else holds.
  if (damaged) await keepStored(project, damaged).catch(unlessDamaged);
  const repair = store instanceof QuarryError ? unopened(store) : await repairStore(store, { signal });
  const kept = await repairKept(project, damaged, signal);
  if (repair.isBeyondRepair) yield* rebuild(index, damaged, fill, signal);
  const { repaired, removed, isBeyondRepair: rebuilt } = repair;
  const names = new Set(await keptFiles(project.folder));
  const unkept = added.filter((uri) => !names.has(keptFileName(uri)));
  const lost = unkept.map(
    (uri) =>
      ({ kind: 'content', uri, detail: 'it was damaged in the index, and kept nowhere else' }) as const,
  );
  return {
    rebuilt,
    removed: rebuilt ? [] : removed,
    repaired: [...repaired, ...kept.repaired],
    lost: [...lost, ...kept.lost],
  };
}

/** An index that cannot even be opened. */
function unopened(thrown: QuarryError): StoreRepair {
  return { repaired: [{ kind: 'structure', detail: thrown.message }], removed: [], isBeyondRepair: true };
}

async function* rebuild(
  index: ProjectIndex,
  damaged: Store | undefined,
  fill: (store: Store) => AsyncIterable<IndexEvent>,
  signal: AbortSignal | undefined,
): AsyncGenerator<IndexEvent> {
  const candidate = index.candidate();
  try {
    const store = await candidate.open();
    yield* fill(store);
    if (damaged) await salvageVectors(damaged, store, signal);
    await candidate.answer();
  } finally {
    await candidate.drop();
  }
}

function unlessDamaged(thrown: unknown): void {
  if (!isDamaged(thrown) && !isForeign(thrown)) throw thrown;
}
