import { type Clock, systemClock } from '../../platform/clock.ts';
import { TokenBudget } from './budget.ts';
import { RateLimit } from './rate-limit.ts';

/** What has been learned about calling one backend; kept as long as the embedder, so that no stream learns it anew. */
export interface BackendPace {
  readonly budget: TokenBudget;
  readonly rateLimit: RateLimit;
}

/** A pace that nothing has been learned for yet. */
export function createBackendPace(clock: Clock = systemClock): BackendPace {
  return { budget: new TokenBudget(), rateLimit: new RateLimit(clock) };
}
