import type { Store } from '../contracts/store.ts';
import type { QuarryError } from '../core/errors.ts';
import type { GraphView } from '../graph/resolve/view.ts';

/** What an answer is made from. */
export interface AskedGraph {
  readonly store: Store;
  readonly view: GraphView;
  readonly warnings: readonly QuarryError[];
  /** Whether the graph has all but a hundredth of the code. */
  readonly isNearlyWhole: boolean;
}
