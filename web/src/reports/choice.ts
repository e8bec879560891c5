import type { ResultOf } from '../api/operations.ts';

/** A kept evaluation. */
export type Report = ResultOf<'report list'>['reports'][number];

/** A run of a kept evaluation. */
export interface RunChoice {
  readonly report: string;
  readonly run: string;
}

/** Which runs are looked at: one, or one against another. */
export interface Choice {
  readonly before: RunChoice | undefined;
  readonly after: RunChoice | undefined;
}
