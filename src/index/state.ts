import type { IndexState } from '../contracts/store.ts';

/** How many chunks have their vector in a space. */
export function embeddedIn({ spaces }: IndexState, space: string): number {
  return spaces.get(space)?.embedded ?? 0;
}

/** How many chunks lack their vector in a space. */
export function pendingIn(state: IndexState, space: string): number {
  return state.chunks - embeddedIn(state, space);
}
