import type { Candidate } from '../candidate.ts';

/** Lets at most so many chunks of one document stand before others; the further ones follow behind the rest. */
export function spread(candidates: readonly Candidate[], most: number): Candidate[] {
  const taken = new Map<string, number>();
  const behind: Candidate[] = [];
  const ahead = candidates.filter((candidate) => {
    const { id } = candidate.match.document;
    const count = (taken.get(id) ?? 0) + 1;
    taken.set(id, count);
    if (count > most) behind.push(candidate);
    return count <= most;
  });
  return [...ahead, ...behind];
}
