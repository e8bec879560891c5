import type { Fences } from '../contracts/leases.ts';
import type { Store } from '../contracts/store.ts';
import { carryFences } from './commit.ts';
import type { Lease } from './lease.ts';

/** The leases under which this process works on an index: every commit carries their fences. */
export class HeldLeases {
  readonly #leases = new Map<string, Lease>();
  /** The same object until a lease comes or goes: documents of one commit are committed under the same leases. */
  #fences: Fences | undefined;

  /** The lease, which is held until it is released. */
  add(name: string, lease: Lease): Lease {
    this.#leases.set(name, lease);
    this.#fences = undefined;
    const release = async () => {
      if (this.#leases.get(name) === lease) this.#leases.delete(name);
      this.#fences = undefined;
      await lease.release();
    };
    return { ...lease, release };
  }

  /** None where nothing is held. Fails where one is known to be lost. */
  fences(): Fences | undefined {
    if (this.#leases.size === 0) return undefined;
    const now = [...this.#leases].map(([name, lease]) => [name, lease.fence()] as const);
    this.#fences ??= new Map(now);
    return this.#fences;
  }

  /** Fails where one of them is another's by now. */
  async confirm(): Promise<void> {
    for (const lease of this.#leases.values()) await lease.confirm();
  }

  /** The store, whose commits carry the fences from now on. */
  guard(store: Store): Store {
    carryFences(store, () => this.fences());
    return store;
  }
}
