import type { EventEmitter } from 'node:events';
import { type Clock, systemClock } from '../../../platform/clock.ts';

/** Milliseconds in which the work may end after a request; then the system ends the process, as by a second request. */
const maxEndingLength = 20_000;

/** Signals by which a person or the system asks a program to end. */
const interrupts = ['SIGINT', 'SIGTERM'] as const;

/** Follows requests to end the process. */
export interface Interrupts {
  /** Aborted by the first request. */
  readonly signal: AbortSignal;
  /** Stops listening: the next request ends the process as usual. */
  release(): void;
}

/** The first Ctrl-C or SIGTERM cancels the work; the second one ends the process, as does work that cannot be cancelled. */
export function followInterrupts(
  source: EventEmitter = process,
  end: (name: NodeJS.Signals) => void = (name) => process.kill(process.pid, name),
  clock: Clock = systemClock,
): Interrupts {
  const stop = new AbortController();
  const over = new AbortController();
  const ignore = (): void => {
    for (const name of interrupts) source.off(name, onInterrupt);
  };
  const onInterrupt = (name: NodeJS.Signals): void => {
    ignore();
    stop.abort();
    clock.wait(maxEndingLength, over.signal).then(
      () => end(name),
      // The work has ended in time.
      () => undefined,
    );
  };
  for (const name of interrupts) source.on(name, onInterrupt);
  const release = (): void => {
    ignore();
    over.abort();
  };
  return { signal: stop.signal, release };
}
