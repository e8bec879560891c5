import type { Driver } from '../contracts/driver.ts';
import type { Embedder } from '../contracts/embedder.ts';
import type { Store } from '../contracts/store.ts';

type Load<Instance> = () => Promise<{ default: Driver<Instance> }>;

/** Vector makers by the name used in `embedder.driver`. */
export const embedders: Readonly<Record<string, Load<Embedder>>> = {
  local: () => import('./embedders/local/driver.ts'),
  hashing: () => import('./embedders/hashing.ts'),
};

/** Indexes by the name used in `store.driver`. */
export const stores: Readonly<Record<string, Load<Store>>> = {
  sqlite: () => import('./stores/sqlite/driver.ts'),
  mock: () => import('./stores/mock.ts'),
};
