/** A rate is told over this much of the past: long enough to be calm, short enough to follow a change. */
const windowMilliseconds = 10_000;
/** Samples lie at least this far apart, so that a fast run keeps few. */
const sampleMilliseconds = 200;
/** A rate over less than this is chance. */
const rateNeedsMilliseconds = 1000;
/** What is left is told from this much on: vectors from the cache come first, and faster than any model. */
const restNeedsMilliseconds = 3000;
/** Where the last half of the window is this much faster or slower than the whole, the rest cannot be foretold. */
const steadyFactor = 1.5;

interface Sample {
  readonly at: number;
  readonly done: number;
}

/** How fast something goes on; what is not known yet is absent. */
export interface Speed {
  /** Things a second, over the last ten seconds. */
  readonly rate?: number;
  /** Seconds until all is done, while the pace is steady. */
  readonly secondsLeft?: number;
}

/** Follows how fast something goes on. */
export interface Pace {
  /** Forgets the past: something else begins. */
  restart(): void;
  /** Takes in what is done by now, and tells how fast it goes. */
  reach(done: number, total: number): Speed;
}

/** A pace by the clock of the process. What was done before it is first told of is not counted as speed. */
export function createPace(): Pace {
  let samples: Sample[] = [];
  const take = (now: Sample): void => {
    const last = samples.at(-1);
    if (last && now.done < last.done) samples = [];
    if (!last || samples.length === 0 || now.at - last.at >= sampleMilliseconds) samples.push(now);
    // One sample from before the window stays: where events are rare, it is the only one to compare with.
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
