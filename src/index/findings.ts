import type { IndexState, Store, StoreDefect } from '../contracts/store.ts';
import type { DocumentRecord } from '../core/document.ts';
import { interrupted, QuarryError } from '../core/errors.ts';

/** How a defect is repaired through the contract alone. */
export type Cure =
  /** Removing the document: the next run reads it again. */
  | { readonly step: 'remove'; readonly uri: string }
  /** Forgetting what the manifest says of a path. */
  | { readonly step: 'forget'; readonly uri: string }
  /** Storing the document once more, with what was read of it. */
  | { readonly step: 'rewrite'; readonly document: DocumentRecord }
  /** Copying the good vectors of a space; the others are made again. */
  | { readonly step: 'space'; readonly space: string }
  /** Filling another index: nothing in the contract mends this one. */
  | { readonly step: 'rebuild' };

/** A defect and what to do about it. */
export interface Finding {
  readonly defect: StoreDefect;
  readonly cure: Cure;
}

/** What a look at an index goes by. */
export interface Look {
  readonly store: Store;
  readonly state: IndexState;
  readonly signal: AbortSignal | undefined;
}

/** Ends the work where the caller has asked for it. */
export function requireGoing(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw interrupted(signal.reason);
}

/** A defect of a document whose content cannot be trusted. */
export function removal(kind: StoreDefect['kind'], uri: string, detail: string): Finding {
  return { defect: { kind, uri, detail }, cure: { step: 'remove', uri } };
}

/** A defect of the index as a whole. */
export function rebuilding(defect: StoreDefect): Finding {
  return { defect, cure: { step: 'rebuild' } };
}

/** Whether an error says that what is stored makes no sense, not that the store cannot be asked. */
export function isUnreadable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (!(thrown instanceof QuarryError)) return thrown instanceof SyntaxError || thrown instanceof TypeError;
  return (
    ['store-corrupt', 'store-foreign', 'internal'].includes(thrown.code) ||
    thrown.cause instanceof SyntaxError
  );
}
