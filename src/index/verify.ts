import type { Store, StoreDefect } from '../contracts/store.ts';
import { QuarryError } from '../core/errors.ts';
import type { Finding } from './findings.ts';
import { inspectIndex } from './inspect.ts';

/** How often an index that others change is looked at. */
const maxLooks = 5;

/**
 * Emits every defect of an index without changing it. A store that can look below the contract does so itself; any other is
 * checked by what it answers.
 */
export async function* verifyStore(
  store: Store,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<StoreDefect> {
  if (store.verify) yield* store.verify(signal ? { signal } : {});
  else for await (const { defect } of findings(store, signal)) yield defect;
}

/** What is wrong with an index, with how to repair it: nothing that only looks so because the index was changed meanwhile. */
export async function* findings(store: Store, signal: AbortSignal | undefined): AsyncGenerator<Finding> {
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
