import type { IndexEvent } from '../core/events.ts';
import type { IndexSummary } from '../core/index-summary.ts';

/** What stages of a run did to documents. */
export interface RunCounts extends Pick<IndexSummary, 'documents' | 'skipped' | 'redacted'> {
  /** Chunks of the documents that were indexed. */
  readonly written: number;
}

/** Nothing yet. */
export const noCounts: RunCounts = {
  documents: { indexed: 0, unchanged: 0, deleted: 0, failed: 0 },
  skipped: {},
  redacted: 0,
  written: 0,
};

/** What events say was done. */
export function countsOf(events: readonly IndexEvent[]): RunCounts {
  const documents = { ...noCounts.documents };
  const skipped: Record<string, number> = {};
  let redacted = 0;
  let written = 0;
  for (const event of events) {
    if (event.type === 'document-unchanged') documents.unchanged += 1;
    if (event.type === 'document-deleted') documents.deleted += 1;
    if (event.type === 'document-failed') documents.failed += 1;
    if (event.type === 'path-skipped')
      skipped[event.skipped.reason] = (skipped[event.skipped.reason] ?? 0) + 1;
    if (event.type === 'secrets-redacted') for (const { count } of event.found) redacted += count;
    if (event.type === 'document-indexed') {
      documents.indexed += 1;
      written += event.chunks;
    }
  }
  return { documents, skipped, redacted, written };
}

/** What two stages did together. */
export function addCounts(one: RunCounts, other: RunCounts): RunCounts {
  const skipped: Record<string, number> = { ...one.skipped };
  for (const [reason, count] of Object.entries(other.skipped))
    skipped[reason] = (skipped[reason] ?? 0) + count;
  return {
    documents: {
      indexed: one.documents.indexed + other.documents.indexed,
      unchanged: one.documents.unchanged + other.documents.unchanged,
      deleted: one.documents.deleted + other.documents.deleted,
      failed: one.documents.failed + other.documents.failed,
    },
    skipped,
    redacted: one.redacted + other.redacted,
    written: one.written + other.written,
  };
}
