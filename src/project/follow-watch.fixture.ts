import type { Project, ProjectWatchOptions } from '../calls/project.ts';
import type { WatchEvent } from '../core/events.ts';

/** A watch that runs beside the test. */
export interface FollowedWatch {
  readonly events: readonly WatchEvent[];
  /** The first event from here on that the test accepts; each event is looked at by one call only. */
  next<Type extends WatchEvent['type']>(
    type: Type,
    accepts?: (event: Extract<WatchEvent, { type: Type }>) => boolean,
  ): Promise<Extract<WatchEvent, { type: Type }>>;
  /** Stops the watch and waits for its end; rejects if it ended with an error. */
  stop(): Promise<void>;
}

/** Waits that are short, so that a test is. */
export const shortTiming = {
  quiet: 40,
  maxWait: 400,
  poll: 50,
  retry: 50,
  maxRetry: 200,
  restPerScan: 1,
};

/** Starts a watch, for the caller to stop. A pass that fails unexpectedly fails the one who waits. */
export function followWatch(
  project: Pick<Project, 'watch'>,
  { expectsFailures, ...options }: ProjectWatchOptions & { readonly expectsFailures?: boolean } = {},
): FollowedWatch {
  const stopper = new AbortController();
  const events: WatchEvent[] = [];
  let seen = 0;
  let wake: (() => void) | undefined;
  let isOver = false;
  const run = async (): Promise<void> => {
    try {
      const timing = { ...shortTiming, ...options.timing };
      for await (const event of project.watch({ ...options, signal: stopper.signal, timing })) {
        events.push(event);
        wake?.();
      }
    } finally {
      isOver = true;
      wake?.();
    }
  };
  const ended = run();
  // The caller that stops the watch sees a rejection.
  ended.catch(() => undefined);
  return {
    events,
    async stop() {
      stopper.abort();
      await ended;
    },
    async next(type, accepts = () => true) {
      for (;;) {
        while (seen < events.length) {
          const event = events[seen++];
          // The type was just compared, which the generic parameter hides from the compiler.
          if (event?.type === type && accepts(event as never)) return event as never;
          if (event?.type === 'pass-failed' && !expectsFailures) throw event.error;
        }
        if (isOver) throw new Error(`The watch ended before ${type}.`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
