import { interrupted } from '../../core/errors.ts';
import { type CallOptions, createThread, type Thread, type ThreadOptions } from './thread.ts';

/** Threads that answer several calls at a time. */
export interface SharedThreads<Request, Value> {
  /** Calls the least busy thread; another one is started only when all are busy. */
  call(request: Request, options?: Pick<CallOptions<never>, 'signal'>): Promise<Value>;
  /** Ends the threads; running and later calls reject with `interrupted`. */
  close(): Promise<void>;
}

/** At most this many threads; none is started before the first call. */
export function createSharedThreads<Request, Value>(
  max: number,
  optionsOf: () => ThreadOptions,
): SharedThreads<Request, Value> {
  const threads = Array.from({ length: max }, () => createThread<Request, Value>(optionsOf()));
  const lessBusy = (one: Thread<Request, Value>, other: Thread<Request, Value>) =>
    other.waiting < one.waiting ? other : one;
  let isClosed = false;
  return {
    async call(request, options) {
      if (isClosed) throw interrupted();
      return threads.reduce(lessBusy).call(request, options);
    },
    async close() {
      isClosed = true;
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}
