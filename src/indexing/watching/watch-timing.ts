/** How long a watch waits for what, in milliseconds where nothing else is said. */
export interface WatchTiming {
  /** A pass starts when nothing has changed for so long … */
  readonly quiet: number;
  /** … or when changes have gone on for so long without a pause. */
  readonly maxWait: number;
  /** The longest wait for a tool that is changing many files. */
  readonly maxBusy: number;
  /** A path whose pass took no longer than this may change as often as it likes; another one … */
  readonly quickPass: number;
  /** … rests so many times as long as the pass took beyond that, so that one that grows on and on costs little … */
  readonly restPerPass: number;
  /** … but no longer than this. */
  readonly maxRest: number;
  /** Vectors are made for at least so long before changes that have come meanwhile interrupt them. */
  readonly vectorTurn: number;
  /** The same where not one vector has come yet; doubled each time up to `maxPatience`. */
  readonly vectorPatience: number;
  readonly maxPatience: number;
  /** Between two scans for what no event reports. */
  readonly poll: number;
  /** Before a failed pass is tried again; doubled with each failure up to `maxRetry`. */
  readonly retry: number;
  readonly maxRetry: number;
  /** The longest time between two scans of everything where not all folders can be watched. */
  readonly degradedInterval: number;
  /** A scan of everything rests so many times as long as it took, so that an idle watch stays below 1 % of a core. */
  readonly restPerScan: number;
}

/** What suits people who edit files. */
export const defaultTiming: WatchTiming = {
  quiet: 300,
  maxWait: 5_000,
  maxBusy: 60_000,
  quickPass: 250,
  restPerPass: 30,
  maxRest: 60_000,
  vectorTurn: 3_000,
  vectorPatience: 10_000,
  maxPatience: 60_000,
  poll: 2_000,
  retry: 5_000,
  maxRetry: 300_000,
  degradedInterval: 60_000,
  restPerScan: 150,
};
