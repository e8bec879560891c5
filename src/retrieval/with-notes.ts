import type { Candidate } from './fuse.ts';

/**
 * The candidates in their new order. A step that changes places leaves the scores alone, so that an order by score could
 * not be told from one that is broken: who has fallen gets a note that says why.
 */
export function withNotes(
  before: readonly Candidate[],
  after: readonly Candidate[],
  stage: string,
  note: string,
): Candidate[] {
  const places = new Map(before.map((candidate, place) => [candidate, place]));
  return after.map((candidate, place) =>
    place > (places.get(candidate) ?? place)
      ? { ...candidate, trace: [...candidate.trace, { stage, score: 0, note }] }
      : candidate,
  );
}
