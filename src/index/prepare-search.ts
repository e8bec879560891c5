import type { Store } from '../contracts/store.ts';
import { asQuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';

/** How an index is readied after a run. */
export interface PreparationOptions {
  /** Emits the run's last event at once, while the preparation continues. */
  readonly inBackground: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Vectors between two events: one for each step of the store would be thousands. */
const tellEvery = 5_000;

/**
 * Passes on the events of a run and, before the last one, readies the index for fast search. Nobody else has to wait
 * for it: the run has released the lock for text before.
 */
export async function* readyForSearch(
  run: AsyncIterable<IndexEvent>,
  store: () => Promise<Store>,
  options: PreparationOptions,
): AsyncGenerator<IndexEvent> {
  let last: IndexEvent | undefined;
  for await (const event of run) {
    if (event.type === 'index-end') last = event;
    else yield event;
  }
  if (!last) return;
  yield* prepareSearch(await store(), options);
  yield last;
}

/** Readies every vector space of a store; one that cannot be prepared is reported and fails nothing. */
export async function* prepareSearch(
  store: Store,
  { inBackground, signal }: PreparationOptions,
): AsyncGenerator<IndexEvent> {
  if (!store.prepareSearch) return;
  for (const space of (await store.state()).spaces.keys()) {
    const started = performance.now();
    let emitted: number | undefined;
    try {
      for await (const { done, total } of store.prepareSearch(space, { signal })) {
        if (emitted !== undefined && done - emitted < tellEvery) continue;
        emitted = done;
        yield { type: 'search-preparing', done, total };
        if (inBackground) break;
      }
      if (emitted === undefined || inBackground) continue;
      yield { type: 'search-prepared', seconds: (performance.now() - started) / 1000 };
    } catch (thrown) {
      const error = asQuarryError(thrown);
      if (error.code === 'interrupted' || error.code === 'internal') throw error;
      yield { type: 'search-unprepared', error };
    }
  }
}
