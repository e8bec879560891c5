/** Locks that end by themselves unless their holder renews them: it may have ended, or be cut off. */
export interface Leases {
  /** Takes or renews a lock for so many seconds; 0 gives it back. Returns whether the holder has it now. */
  hold(name: string, holder: string, seconds: number): boolean;
  /**
   * Renews a lock before a write. False where another has had it since: what this holder would write is of yesterday. A
   * lock that nobody has had since it lapsed, or since this process began, is still its own.
   */
  renew(name: string, holder: string, seconds: number): boolean;
}

/** Locks that are remembered with their last holder after they have lapsed. */
const mostRemembered = 1000;

/** No lock is held. */
export function createLeases(now: () => number = () => performance.now()): Leases {
  /** By name, those that were held last at the end. */
  const known = new Map<string, { readonly holder: string; readonly until: number }>();
  const set = (name: string, holder: string, seconds: number): void => {
    known.delete(name);
    known.set(name, { holder, until: now() + seconds * 1000 });
    if (known.size <= mostRemembered) return;
    for (const [other, { until }] of known) {
      if (known.size <= mostRemembered) break;
      if (until <= now()) known.delete(other);
    }
  };
  return {
    hold(name, holder, seconds) {
      const present = known.get(name);
      const isOwn = present === undefined || present.holder === holder;
      if (!isOwn && (present.until > now() || seconds === 0)) return false;
      set(name, holder, seconds);
      return seconds > 0;
    },
    renew(name, holder, seconds) {
      const present = known.get(name);
      if (present && present.holder !== holder) return false;
      set(name, holder, seconds);
      return true;
    },
  };
}
