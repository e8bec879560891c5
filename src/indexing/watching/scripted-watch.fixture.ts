import type { ChangeHint, ScanOptions, Source } from '../../contracts/source.ts';
import { QuarryError } from '../../core/errors.ts';
import type { IndexEvent, WatchEvent } from '../../core/events.ts';
import type { IndexSummary } from '../../core/index-summary.ts';
import { watchFiles } from './watch.ts';
import type { WatchTiming } from './watch-timing.ts';
import type { Watched, WatchTarget } from './watched.ts';

const summary: IndexSummary = {
  documents: { indexed: 0, unchanged: 0, deleted: 0, failed: 0 },
  chunks: { total: 0, written: 0, embedded: 0, cached: 0, reused: 0, pending: 0 },
  skipped: {},
  redacted: 0,
  seconds: { total: 0, embedding: 0 },
};
/** How every pass ends. */
export const end: IndexEvent = { type: 'index-end', summary };
/** A look at files of which none has changed. */
export const scan: readonly IndexEvent[] = [
  { type: 'scan-start' },
  { type: 'scan-end', files: 0, changed: 0, skipped: 0 },
];
/** A pass that finds nothing to do. */
export const calm: readonly IndexEvent[] = [...scan, end];
/** Waits so short that a test never has to wait. */
export const timing = {
  quiet: 5,
  maxWait: 50,
  poll: 5,
  retry: 5,
  maxRetry: 20,
  restPerScan: 0,
  vectorTurn: 0,
  vectorPatience: 0,
};

/** What a pass emits, or fails with, or does. */
export type ScriptedPass =
  | readonly IndexEvent[]
  | QuarryError
  | ((giveWay: AbortSignal) => AsyncGenerator<IndexEvent>);
const never = new AbortController().signal;

/** A project whose passes do what they are given, one after the other; after the last one they are all well. */
export function scripted(passes: readonly ScriptedPass[], more: Partial<Watched & WatchTarget> = {}) {
  const script = [...passes];
  const asked: (readonly string[] | undefined)[] = [];
  /** Whether a pass was to ask models again for what they have refused. */
  const askedAgain: boolean[] = [];
  const refreshed: ScanOptions[] = [];
  const state = { opened: 0, closed: 0, notice: (_: ChangeHint): void => {} };
  const source: Source = {
    async *scan() {},
    read: async () => new Uint8Array(),
    watch(notice) {
      state.notice = notice;
      return {
        refresh: async (options = {}) => void refreshed.push(options),
        poll: async () => {},
        isBusy: async () => false,
        close() {},
      };
    },
  };
  const { settingsFiles = [], ...rest } = more;
  const open = async (): Promise<Watched> => {
    state.opened += 1;
    return {
      folder: 'here',
      source,
      roots: [],
      intervalSeconds: 0,
      async *pass({ only, passOverRefused, giveWay }) {
        asked.push(only);
        askedAgain.push(!passOverRefused);
        const next = script.shift() ?? calm;
        if (next instanceof QuarryError) throw next;
        yield* typeof next === 'function' ? next(giveWay ?? never) : next;
      },
      async close() {
        state.closed += 1;
      },
      ...rest,
    };
  };
  return { target: { settingsFiles, open }, open, asked, askedAgain, refreshed, state };
}

/** Watches until an event that the test accepts, or until the end. */
export async function watchUntil(
  target: WatchTarget,
  isLast: (event: WatchEvent) => boolean,
  more: Partial<WatchTiming> = {},
): Promise<WatchEvent[]> {
  const stop = new AbortController();
  const events: WatchEvent[] = [];
  for await (const event of watchFiles(target, { signal: stop.signal, timing: { ...timing, ...more } })) {
    events.push(event);
    if (isLast(event)) stop.abort();
  }
  return events;
}

/** Whether an event is the end of the pass with this number. */
export const endsPass = (number: number) => (event: WatchEvent) =>
  event.type === 'pass-end' && event.pass === number;
