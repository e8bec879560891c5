import { workerData } from 'node:worker_threads';
import { once } from '../../../platform/once.ts';
import { whileBusy } from '../../inference/busy-flag.ts';
import { serveCalls } from '../../inference/serve-calls.ts';
import type { ModelThreadData } from '../../inference/thread-protocol.ts';
import { loadPairScorer } from './pair-scorer.ts';
import type { ScoringRequest } from './scoring-pool.ts';

/** The thread that holds the model: arithmetic never blocks the process that asks for it. */
const { model, hardware, flag } = workerData as ModelThreadData;
const scorer = once(() => whileBusy(flag, () => loadPairScorer(model, hardware)));

serveCalls<ScoringRequest, readonly number[]>(async ({ question, passages }, isCancelled) => {
  const loaded = await scorer();
  const scores: number[] = [];
  for (const passage of passages) {
    if (isCancelled()) return undefined;
    scores.push(await whileBusy(flag, () => loaded.score(question, passage)));
  }
  return { value: scores };
});
