import type { WatchEvent } from './events.ts';

/** What a watch has come to. */
export interface WatchTotals {
  readonly passes: number;
  readonly indexed: number;
  readonly deleted: number;
  readonly failed_passes: number;
}

/** Counts the events of a watch, wherever they arrive. */
export interface WatchCount {
  hear(event: Pick<WatchEvent, 'type'>): void;
  totals(): WatchTotals;
}

/** Nothing has happened yet. */
export function countWatch(): WatchCount {
  const totals = { passes: 0, indexed: 0, deleted: 0, failed_passes: 0 };
  return {
    hear({ type }) {
      if (type === 'pass-start') totals.passes += 1;
      if (type === 'pass-failed') totals.failed_passes += 1;
      if (type === 'document-indexed') totals.indexed += 1;
      if (type === 'document-deleted') totals.deleted += 1;
    },
    totals: () => ({ ...totals }),
  };
}
