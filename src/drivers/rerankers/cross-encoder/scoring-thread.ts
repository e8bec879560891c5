import { interrupted } from '../../../core/errors.ts';
import { whileBusy } from '../../../models/inference/busy-flag.ts';
import type { ModelThreadData } from '../../../models/inference/model-threads.ts';
import { once } from '../../../platform/once.ts';
import { serveCalls, threadData } from '../../../platform/threads/serve-calls.ts';
import { loadPairScorer } from './pair-scorer.ts';
import type { ScoringRequest } from './scoring-pool.ts';

/** The thread that holds the model: arithmetic never blocks the process that asks for it. */
const { model, hardware, flag } = threadData<ModelThreadData>();
const scorer = once(() => whileBusy(flag, () => loadPairScorer(model, hardware)));

serveCalls<ScoringRequest, readonly number[]>(async ({ query, chunks }, { signal }) => {
  const loaded = await scorer();
  const scores: number[] = [];
  for (const chunk of chunks) {
    if (signal.aborted) throw interrupted();
    scores.push(await whileBusy(flag, () => loaded.score(query, chunk)));
  }
  return { value: scores };
});
