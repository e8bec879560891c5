import type { StoreDefect } from '../../../../contracts/store.ts';
import type { Connection } from '../file/connection.ts';

/** How a defect is repaired. */
export type Cure =
  /** By copying what can be read into a new file. */
  | { readonly step: 'structure' }
  /** By rebuilding the text index from the chunks. */
  | { readonly step: 'text' }
  /** By removing the document. */
  | { readonly step: 'document'; readonly number: number; readonly uri: string }
  /** By a change of single rows that leaves the text index right. */
  | { readonly step: 'rows'; apply(connection: Connection): unknown };

/** A defect and what to do about it. */
export interface Finding {
  readonly defect: StoreDefect;
  readonly cure: Cure;
}

/** What looking at an index gives, piece by piece: a finding, or nothing yet, so that other work gets its turn. */
export type Inspection = Iterable<Finding | undefined>;

/** A finding that a change of single rows repairs. */
export function rowFinding(defect: StoreDefect, apply: (connection: Connection) => unknown): Finding {
  return { defect, cure: { step: 'rows', apply } };
}

/** A finding about the file as a whole. */
export function structureFinding(detail: string): Finding {
  return { defect: { kind: 'structure', detail }, cure: { step: 'structure' } };
}

/** A finding about the text index. */
export function textFinding(detail: string): Finding {
  return { defect: { kind: 'text', detail }, cure: { step: 'text' } };
}
