/** Decides how many points a picture of a moving map has: fewer where pictures come late, as without a graphics card. */
export interface Pace {
  /** How many of the points to draw now; the time is in milliseconds. */
  next(now: number, points: number): number;
}

/** Milliseconds after which a picture belongs to a new movement. */
const pause = 300;
/** Milliseconds between two pictures above which there are to be fewer points, and below which there may be more. */
const late = 50;
const early = 25;
/** Few enough for any machine, and still the shape of the whole. */
const minPoints = 4_000;

/** A pace that begins with all points. */
export function createPace(): Pace {
  let max = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  return {
    next(now, points) {
      const taken = now - last;
      last = now;
      if (taken <= pause && taken > late) max = Math.max(minPoints, Math.min(max, points) / 2);
      if (taken < early) max *= 1.2;
      return Math.min(points, Math.floor(max));
    },
  };
}
