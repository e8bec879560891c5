import type { Candidate } from '../candidate.ts';

/** Keeps at most `max` chunks of one document at the front; its others come after those of all other documents. */
export function spread(candidates: readonly Candidate[], max: number): Candidate[] {
  const taken = new Map<string, number>();
  const behind: Candidate[] = [];
  const ahead = candidates.filter((candidate) => {
    const { id } = candidate.match.document;
    const count = (taken.get(id) ?? 0) + 1;
    taken.set(id, count);
    if (count > max) behind.push(candidate);
    return count <= max;
  });
  return [...ahead, ...behind];
}
