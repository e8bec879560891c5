import type { Store, StoreDefect } from '../contracts/store.ts';
import { messageOf, QuarryError } from '../core/errors.ts';
import { type Finding, isUnreadable, rebuilding } from './findings.ts';
import { inspectIndex } from './inspect.ts';

/** How often an index that others change is looked at. */
const maxLooks = 5;

/** Emits every defect of an index without changing it: below the contract where its store can look there, then by what it answers. */
export async function* verifyStore(
  store: Store,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<StoreDefect> {
  for await (const { defect } of findings(store, signal)) yield defect;
}

/** What is wrong with an index, with how to repair it: nothing that only looks so because the index was changed meanwhile. */
export async function* findings(store: Store, signal: AbortSignal | undefined): AsyncGenerator<Finding> {
  try {
    let isWhole = true;
    for await (const defect of store.checkStructure?.({ signal }) ?? []) {
      isWhole = false;
      yield rebuilding(defect);
    }
    // Nothing is learnt from what stands on damaged ground.
    if (isWhole) yield* inspectAtRest(store, signal);
  } catch (thrown) {
    if (!isUnreadable(thrown)) throw thrown;
    yield rebuilding({ kind: 'structure', detail: `The index cannot be read: ${messageOf(thrown)}` });
  }
}

async function* inspectAtRest(store: Store, signal: AbortSignal | undefined): AsyncGenerator<Finding> {
  const emitted = new Set<string>();
  for (let look = 0; look < maxLooks; look += 1) {
    const { revision } = await store.state();
    let hasChanged = false;
    for await (const finding of inspectIndex(store, signal)) {
      hasChanged = (await store.state()).revision !== revision;
      if (hasChanged) break;
      const name = JSON.stringify(finding.defect);
      if (!emitted.has(name)) yield finding;
      emitted.add(name);
    }
    if (!hasChanged) return;
  }
  throw new QuarryError(
    'store-busy',
    'The index changes so often that what looks wrong may be a change on its way.',
    'Run it again when nothing is being indexed.',
  );
}
