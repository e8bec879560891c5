import type { SpaceState } from '../../contracts/store.ts';

/** Spaces as the state of an index gives them: by name, sorted. */
export function spacesByName(
  spaces: Iterable<readonly [name: string, space: SpaceState]>,
): ReadonlyMap<string, SpaceState> {
  return new Map([...spaces].sort(([one], [other]) => (one < other ? -1 : 1)));
}
