import type { ServerEvent } from '../../core/events.ts';

/** One line of the log. */
export type LogEntry = Extract<ServerEvent, { type: 'request-answered' | 'requests-refused' }>;
/** One answered request. */
export type AnsweredRequest = Extract<LogEntry, { type: 'request-answered' }>;

/** Lines about refused requests in one stretch of time; what is beyond them is summed up at its end … */
const maxLines = 20;
/** … by so many addresses; the others together. */
const maxAddresses = 20;

/** The log of a server, which no caller can make grow by being refused. */
export interface RefusalLog {
  write(entry: AnsweredRequest, address: string): void;
  /** Writes what has been summed up. */
  close(): void;
}

/** Whether the caller was not let in, or asked too often. */
export function isRefusal({ caller, status }: AnsweredRequest): boolean {
  return caller === refusedCaller || status === 401 || status === 429;
}

/** The caller of a request that was refused before anybody was known. */
export const refusedCaller = 'refused';

/** Writes entries to a log; stretches last so many milliseconds. */
export function createRefusalLog(log: (entry: LogEntry) => void, stretch = 60_000): RefusalLog {
  const counts = new Map<string, number>();
  let lines = 0;
  let timer: NodeJS.Timeout | undefined;
  const sumUp = (): void => {
    clearTimeout(timer);
    timer = undefined;
    lines = 0;
    const time = new Date().toISOString();
    for (const [address, requests] of counts) log({ type: 'requests-refused', time, address, requests });
    counts.clear();
  };
  return {
    close: sumUp,
    write(entry, address) {
      if (!isRefusal(entry)) return log(entry);
      timer ??= setTimeout(sumUp, stretch).unref();
      lines += 1;
      if (lines <= maxLines) return log(entry);
      const name = counts.has(address) || counts.size < maxAddresses ? address : 'other addresses';
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
  };
}
