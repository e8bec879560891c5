/** Locks that end by themselves unless their holder renews them: it may have ended, or be cut off. */
export interface Leases {
  /** Takes or renews a lock for so many seconds; 0 gives it back. Returns whether the holder has it now. */
  hold(name: string, holder: string, seconds: number): boolean;
}

/** No lock is held. */
export function createLeases(now: () => number = () => performance.now()): Leases {
  const held = new Map<string, { readonly holder: string; readonly until: number }>();
  return {
    hold(name, holder, seconds) {
      const moment = now();
      for (const [other, { until }] of held) if (until <= moment) held.delete(other);
      const present = held.get(name);
      if (present && present.holder !== holder) return false;
      held.delete(name);
      if (seconds > 0) held.set(name, { holder, until: moment + seconds * 1000 });
      return seconds > 0;
    },
  };
}
