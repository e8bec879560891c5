import type { EventEmitter } from 'node:events';

/** Signals by which a person or the system asks a program to end. */
const interrupts = ['SIGINT', 'SIGTERM'] as const;

/** Follows requests to end the process. */
export interface Interrupts {
  /** Aborted by the first request. */
  readonly signal: AbortSignal;
  /** Stops listening: the next request ends the process as usual. */
  release(): void;
}

/** The first Ctrl-C or SIGTERM cancels the work; the second one ends the process. */
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
