import { QuarryError } from '../../../core/errors.ts';

/** Bytes of bodies that a server has in memory at the same time: those that arrive, and those that are worked on. */
export interface BodyBudget {
  /** All of them. */
  readonly held: number;
  readonly looksEvery: number;
  /** Counts more bytes of a caller, or fails with `request-limited`. */
  take(caller: string, bytes: number): void;
  release(caller: string, bytes: number): void;
}

/** How many bytes there may be, and how slow they may come. */
export interface BodyBounds {
  readonly total: number;
  /** Of one caller, so that it leaves something to others. */
  readonly caller: number;
  /** Milliseconds between two looks at how fast a body arrives. */
  readonly looksEvery: number;
}

const mebibyte = 1024 * 1024;

/** A caller may send the largest body that there is, and something besides. */
export const defaultBodyBounds: BodyBounds = {
  total: 160 * mebibyte,
  caller: 80 * mebibyte,
  looksEvery: 2_500,
};

/** Milliseconds after which a caller may try again. */
const comesBackAfter = 1000;

/** Nothing is held yet. */
export function createBodyBudget(max: BodyBounds): BodyBudget {
  const heldBy = new Map<string, number>();
  let held = 0;
  return {
    looksEvery: max.looksEvery,
    get held() {
      return held;
    },
    take(caller, bytes) {
      const own = (heldBy.get(caller) ?? 0) + bytes;
      if (held + bytes > max.total || own > max.caller)
        throw new QuarryError(
          'request-limited',
          'Too many large requests at once.',
          'Ask again in a moment, with fewer large requests at the same time.',
          { retryAfter: comesBackAfter },
        );
      held += bytes;
      heldBy.set(caller, own);
    },
    release(caller, bytes) {
      held -= bytes;
      const own = (heldBy.get(caller) ?? 0) - bytes;
      if (own > 0) heldBy.set(caller, own);
      else heldBy.delete(caller);
    },
  };
}
