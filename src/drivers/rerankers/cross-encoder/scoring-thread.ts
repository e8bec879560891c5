import { interrupted } from '../../../core/errors.ts';
import { whileBusy } from '../../../models/inference/busy-flag.ts';
import type { ModelCall, ModelThreadData } from '../../../models/inference/model-threads.ts';
import { perModel } from '../../../models/inference/per-model.ts';
import { ShortestFirst } from '../../../models/inference/shortest-first.ts';
import { serveCalls, threadData } from '../../../platform/threads/serve-calls.ts';
import { loadPairScorer } from './pair-scorer.ts';
import type { ScoringRequest } from './scoring-pool.ts';

/** The thread that holds the models: arithmetic never blocks the process that asks for it. */
const { hardware, flag } = threadData<ModelThreadData>();
const turns = new ShortestFirst();
const scorerOf = perModel((model) =>
  turns.run(0, () => whileBusy(flag, () => loadPairScorer(model, hardware))),
);

serveCalls<ModelCall<ScoringRequest>, readonly number[]>(async ({ model, request }, { signal }) => {
  const { query, chunks } = request;
  const loaded = await scorerOf(model);
  const scores: number[] = [];
  for (const [place, chunk] of chunks.entries()) {
    if (signal.aborted) throw interrupted();
    scores.push(
      await turns.run(chunks.length - place, () => whileBusy(flag, () => loaded.score(query, chunk))),
    );
  }
  return { value: scores };
});
