import { type Clock, systemClock } from '../../platform/clock.ts';
import { BatchSize } from './batch-size.ts';
import { RateLimit } from './rate-limit.ts';

/** What has been learned about calling one backend; kept as long as the embedder, so that no stream learns it again. */
export interface Throughput {
  readonly size: BatchSize;
  readonly rateLimit: RateLimit;
}

/** Nothing learned yet. */
export function createThroughput(clock: Clock = systemClock): Throughput {
  return { size: new BatchSize(), rateLimit: new RateLimit(clock) };
}
