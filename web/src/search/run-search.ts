import { signal } from '@preact/signals';
import type { EventData, QuarryError } from '../../../src/client/index.ts';
import { type Progress, progressOf } from '../../../src/core/progress.ts';
import type { ResultOf } from '../api/operations.ts';
import { asError } from '../api/session.ts';
import type { Question } from './questions.ts';
import { searchFor } from './several.ts';

/** What is known of the answer to the question. */
export interface Search {
  readonly asked: Question | undefined;
  readonly result: ResultOf<'search'> | undefined;
  readonly error: QuarryError | undefined;
  readonly isRunning: boolean;
  /** How far the index is, where the search brings it up to date first. */
  readonly progress: Progress | undefined;
}

const nothing: Search = {
  asked: undefined,
  result: undefined,
  error: undefined,
  isRunning: false,
  progress: undefined,
};

/** The search of the view; the previous result stays until the next one is there. */
export const search = signal<Search>(nothing);

/** Milliseconds after which a search is made again that met a run which was writing. */
const lookAgainAfter = 1500;

let running: AbortController | undefined;

/** Asks, and stops what was asked before: the server stops with it. */
export async function runSearch(project: string, asked: Question, isHurried: boolean): Promise<void> {
  running?.abort();
  if (asked.query.trim() === '') {
    search.value = nothing;
    return;
  }
  const stop = new AbortController();
  running = stop;
  search.value = { ...search.value, isRunning: true, progress: undefined };
  try {
    // While the reader types, the index is not brought up to date: the watch of the server does that.
    const result = await searchFor(
      project,
      asked,
      { ...(isHurried && { update: false }) },
      { signal: stop.signal, onEvent: (event) => follow(stop, event) },
    );
    if (stop.signal.aborted) return;
    search.value = { ...nothing, asked, result };
    if (!isHurried && result.warnings.some(({ code }) => code === 'store-busy'))
      setTimeout(
        () => whenLookedAt(() => void runSearch(project, asked, false), stop.signal),
        lookAgainAfter,
      );
  } catch (thrown) {
    if (!stop.signal.aborted) search.value = { ...nothing, asked, error: asError(thrown) };
  }
}

/** Acts now, or as soon as a hidden page is shown; not once the signal is aborted. */
function whenLookedAt(act: () => void, signal: AbortSignal): void {
  if (signal.aborted) return;
  if (document.hidden) document.addEventListener('visibilitychange', act, { once: true, signal });
  else act();
}

function follow(stop: AbortController, event: EventData): void {
  if (stop.signal.aborted) return;
  // An event as data has all that progress is shown by.
  const progress = progressOf(event as Parameters<typeof progressOf>[0], search.value.progress);
  search.value = { ...search.value, progress };
}

/** Forgets the result, and stops what is asked. */
export function forgetSearch(): void {
  running?.abort();
  search.value = nothing;
}
