/** The rate covers the last ten seconds: long enough to be stable, short enough to follow a change. */
const windowMilliseconds = 10_000;
/** Least time between two samples, so that a fast run keeps few. */
const sampleMilliseconds = 200;
/** A rate over a shorter time is not reliable. */
const rateNeedsMilliseconds = 1000;
/** The time left is shown only after this: vectors from the cache come first, faster than any model makes them. */
const restNeedsMilliseconds = 3000;
/** The time left is unknown while the last half of the window is this much faster or slower than the whole. */
const steadyFactor = 1.5;

interface Sample {
  readonly at: number;
  readonly done: number;
}

/** How fast something proceeds; what is not known yet is absent. */
export interface Speed {
  /** Things a second, over the last ten seconds. */
  readonly rate?: number;
  /** Seconds until all is done, while the rate is steady. */
  readonly secondsLeft?: number;
}

/** Measures how fast something proceeds. */
export interface RateMeter {
  /** Forgets all samples, because other work begins. */
  restart(): void;
  /** Records how much is done and returns the speed. */
  reach(done: number, total: number): Speed;
}

/** A meter by the clock of the process. Work before the first call of `reach` does not count. */
export function createRateMeter(): RateMeter {
  let samples: Sample[] = [];
  const take = (now: Sample): void => {
    const last = samples.at(-1);
    if (last && now.done < last.done) samples = [];
    if (!last || samples.length === 0 || now.at - last.at >= sampleMilliseconds) samples.push(now);
    // One sample from before the window stays, because rare events leave none inside it.
    const firstInside = samples.findIndex(({ at }) => at > now.at - windowMilliseconds);
    samples = samples.slice(Math.max(0, (firstInside < 0 ? samples.length : firstInside) - 1));
  };
  return {
    restart() {
      samples = [];
    },
    reach(done, total) {
      const now = { at: performance.now(), done };
      take(now);
      return speedOf(samples, now, total);
    },
  };
}

function speedOf(samples: readonly Sample[], now: Sample, total: number): Speed {
  const [first = now] = samples;
  const span = now.at - first.at;
  const rate = rateSince(first, now);
  if (span < rateNeedsMilliseconds || rate === 0) return {};
  const middle = samples.findLast(({ at }) => at <= now.at - span / 2) ?? first;
  const change = rateSince(middle, now) / rate;
  const isSteady = change < steadyFactor && change > 1 / steadyFactor;
  const isKnown = span >= restNeedsMilliseconds && isSteady && now.done < total;
  return { rate, ...(isKnown && { secondsLeft: (total - now.done) / rate }) };
}

/** Things a second between two samples; 0 where no time has passed. */
function rateSince(earlier: Sample, later: Sample): number {
  const milliseconds = later.at - earlier.at;
  return milliseconds > 0 ? ((later.done - earlier.done) * 1000) / milliseconds : 0;
}
