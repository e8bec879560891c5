import { interrupted } from '../../core/errors.ts';
import { type CallOptions, createThread, type Thread, type ThreadOptions } from './thread.ts';

/** Threads that answer several calls at a time. */
export interface SharedThreads<Request, Value> {
  /**
   * Calls the least busy thread; another one is started only when all are busy. Of those equally busy one that was called for the same
   * before, as `of` names it, has it at hand.
   */
  call(
    request: Request,
    options?: Pick<CallOptions<never>, 'signal'> & { readonly of?: string },
  ): Promise<Value>;
  /** Ends the threads; running and later calls reject with `interrupted`. */
  close(): Promise<void>;
}

/** At most this many threads; none is started before the first call. */
export function createSharedThreads<Request, Value>(
  max: number,
  optionsOf: () => ThreadOptions,
): SharedThreads<Request, Value> {
  const threads = Array.from({ length: max }, () => createThread<Request, Value>(optionsOf()));
  const calledFor = new Map(threads.map((thread) => [thread, new Set<string>()]));
  const lessBusy = (of: string) => (one: Thread<Request, Value>, other: Thread<Request, Value>) => {
    const isFitter = calledFor.get(other)?.has(of) === true && calledFor.get(one)?.has(of) === false;
    return other.waiting < one.waiting || (other.waiting === one.waiting && isFitter) ? other : one;
  };
  let isClosed = false;
  return {
    async call(request, { signal, of = '' } = {}) {
      if (isClosed) throw interrupted();
      const thread = threads.reduce(lessBusy(of));
      calledFor.get(thread)?.add(of);
      return thread.call(request, { signal });
    },
    async close() {
      isClosed = true;
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}
