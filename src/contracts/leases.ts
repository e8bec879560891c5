import { QuarryError } from '../core/errors.ts';

/** Fences by the names of leases. A fence rises with each grant, so that a previous holder is known by its lower one. */
export type Fences = ReadonlyMap<string, number>;

/** What is written of a lease. */
export interface LeaseState {
  /** Who has it: a machine, a process and a mark of its own; empty where it was given back. */
  readonly holder: string;
  readonly fence: number;
}

/** What is known of a lease. */
export interface KnownLease {
  readonly fence: number;
  /** `over` where nobody has renewed it for its term, by the clock of the store; `free` where no holder can write any more. */
  readonly state: 'free' | 'held' | 'over';
  /** Another one after each renewal. */
  readonly stamp: string | number;
  /** As its holder wrote it, where that is known. */
  readonly holder?: string | undefined;
}

/**
 * The record of one lease, which several processes share. All else that a lease is stands above the stores; the one other
 * thing that a store does for it is to refuse a commit whose fence is lower than one that the index has seen.
 */
export interface LeaseRecord {
  /** Milliseconds after which a lease that nobody renews is over; 30 seconds where absent. */
  readonly term?: number;
  /** The longest pause between two looks of who waits, in milliseconds; half a second where absent. */
  readonly maxPause?: number;
  /** Undefined where it was never granted. */
  read(): Promise<KnownLease | undefined>;
  /** Writes it where its fence is still the expected one (undefined: there is no record), in one step; false otherwise. */
  replace(expected: number | undefined, state: LeaseState): Promise<boolean>;
  close(): Promise<void>;
}

/** Milliseconds after which a lease that nobody renews is over, where its record does not say. */
export const defaultTerm = 30_000;

/** Fails where the index has seen a higher fence than a given one; returns those that are higher than what it has seen. */
export function raisedFences(seen: Fences, given: Fences = new Map()): [name: string, fence: number][] {
  for (const [name, fence] of given) if ((seen.get(name) ?? 0) > fence) throw lockLost();
  return [...given].filter(([name, fence]) => seen.get(name) !== fence);
}

/** The error for a write of a process whose lease another one has by now. */
export function lockLost(): QuarryError {
  return new QuarryError(
    'lock-lost',
    'Another process has taken over the work on this index, because this one did not answer for a while.',
    'Nothing was overwritten. Run it again if the other one does not finish.',
  );
}
