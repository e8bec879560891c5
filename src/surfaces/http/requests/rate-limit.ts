import { QuarryError } from '../../../core/errors.ts';

/** How many requests a caller may make. */
export interface RateLimitOptions {
  /** On average. */
  readonly perSecond: number;
  /** At once, after a pause. */
  readonly burst: number;
}

/** Callers that are remembered; beyond it those that were quiet longest are forgotten. */
const rememberedCallers = 10_000;

/** Counts one request of a caller, or fails with `request-limited`. */
export type RateLimit = (grant: string, address: string) => void;

/** A bucket a caller, filled at a steady rate: a token and an address each. */
export function createRateLimit({ perSecond, burst }: RateLimitOptions): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>();
  return (grant, address) => {
    const key = `${grant} ${address}`;
    const now = performance.now();
    const previous = buckets.get(key) ?? { left: burst, at: now };
    const left = Math.min(burst, previous.left + ((now - previous.at) / 1000) * perSecond) - 1;
    // The newest goes to the end: the first is the one that was quiet longest.
    buckets.delete(key);
    buckets.set(key, { left: Math.max(left, -1), at: now });
    const [oldest] = buckets.keys();
    if (buckets.size > rememberedCallers && oldest !== undefined) buckets.delete(oldest);
    if (left >= 0) return;
    throw new QuarryError('request-limited', 'Too many requests.', 'Ask again more slowly.', {
      retryAfter: Math.ceil(1000 / perSecond),
    });
  };
}
