import type { Store } from '../../contracts/store.ts';
import type { StoreCheck } from '../../testing/store-conformance.ts';

/** Checks one promise of the contract on a store, and closes every handle that the check has opened. */
export async function checkStore({ check }: StoreCheck, open: () => Store | Promise<Store>): Promise<void> {
  const handles: Store[] = [];
  try {
    await check(async () => {
      const store = await open();
      handles.push(store);
      return store;
    });
  } finally {
    for (const handle of handles) await handle.close();
  }
}
