import type { EventEmitter } from 'node:events';

/** Signals by which a person or the system asks a program to end. */
const interrupts = ['SIGINT', 'SIGTERM'] as const;

/** What follows a request to end. */
export interface Interrupts {
  /** Aborted by the first request, of whichever kind. */
  readonly signal: AbortSignal;
  /** Listens no longer, so that the next request ends the process as usual. */
  release(): void;
}

/** The first Ctrl-C or SIGTERM stops the work; a second one, of either kind, ends the process as if nobody listened. */
export function followInterrupts(source: EventEmitter = process): Interrupts {
  const stop = new AbortController();
  const release = (): void => {
    for (const name of interrupts) source.off(name, onInterrupt);
  };
  const onInterrupt = (): void => {
    release();
    stop.abort();
  };
  for (const name of interrupts) source.on(name, onInterrupt);
  return { signal: stop.signal, release };
}
