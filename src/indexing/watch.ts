import type { ChangeHint } from '../contracts/source.ts';
import { asQuarryError, type ErrorCode, QuarryError } from '../core/errors.ts';
import type { IndexSummary, PassReason, WatchEvent } from '../core/events.ts';
import { type Changes, PendingChanges } from './pending-changes.ts';
import { isUnfinished } from './refused-texts.ts';
import { PassSchedule, settle, usualTiming, type WatchTiming } from './watch-timing.ts';
import { type OpenWatched, type Watched, WatchedHolder } from './watched.ts';

/** How a watch is run. */
export interface WatchOptions {
  /** Stops the watch, which then ends without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Waits that differ from the usual ones. */
  readonly timing?: Partial<WatchTiming> | undefined;
}

/**
 * Keeps an index in step with its files until it is stopped. Events of the system only say where to look and when;
 * each pass compares files and index itself, and a scan of everything from time to time finds what no event told.
 * What fails is told and tried again; only a project that cannot be used at all ends the watch with an error.
 */
export async function* watchFiles(
  open: () => Promise<Watched>,
  { signal, timing }: WatchOptions = {},
): AsyncGenerator<WatchEvent> {
  const watch = new Watch(open, { ...usualTiming, ...timing }, signal);
  try {
    yield* watch.run();
  } finally {
    await watch.close();
  }
}

/** What no later pass can get over, where no pass has ever worked; later on settings and programs may change back. */
const endingCodes: readonly ErrorCode[] = [
  'config-invalid',
  'driver-unknown',
  'root-outside-project',
  'runtime-unsupported',
  'store-too-new',
];

type Unwatched = Extract<ChangeHint, { kind: 'unwatched' }>;

const nothingTold: Unwatched = {
  kind: 'unwatched',
  folders: 0,
  why: 'its source tells of no changes',
  remedy: 'Set watch.interval_seconds to how soon changes should be found.',
};

/** One watch from start to end: passes one at a time, and the waiting between them. */
class Watch {
  readonly #timing: WatchTiming;
  readonly #signal: AbortSignal | undefined;
  readonly #pending = new PendingChanges();
  readonly #schedule: PassSchedule;
  readonly #holder: WatchedHolder;
  #passes = 0;
  #hasWorked = false;
  /** What a failed pass did not get done. */
  #unfinished: Changes | undefined;
  /** What was noticed first since the last pass. */
  #noticed: string | undefined;
  #changedSettings: string[] = [];
  #unwatched: Unwatched | undefined;
  #toldUnwatched: string | undefined;

  constructor(open: () => Promise<Watched>, timing: WatchTiming, signal: AbortSignal | undefined) {
    this.#timing = timing;
    this.#signal = signal;
    this.#schedule = new PassSchedule(timing);
    this.#holder = new WatchedHolder(open, (hint) => this.#notice(hint));
  }

  async *run(): AsyncGenerator<WatchEvent> {
    const { folder, intervalSeconds } = await this.#holder.current();
    yield { type: 'watch-start', folder, intervalSeconds };
    for (let reason: PassReason = 'start'; !this.#isStopped; reason = await this.#nextReason()) {
      if (reason === 'changes') {
        yield { type: 'change-noticed', what: this.#noticed ?? '' };
        await settle(this.#pending, this.#holder.present?.watch, this.#timing, this.#signal);
      }
      yield* this.#pass(reason);
    }
    yield { type: 'watch-end', passes: this.#passes };
  }

  close(): Promise<void> {
    return this.#holder.close();
  }

  get #isStopped(): boolean {
    return this.#signal?.aborted === true;
  }

  #notice(hint: ChangeHint): void {
    if (hint.kind === 'unwatched') this.#unwatched = hint;
    else if (this.#pending.notice(hint)) this.#noticed ??= hint.kind === 'path' ? hint.uri : hint.why;
  }

  /** Waits until there is a reason for a pass; when the watch is stopped, whatever it says is not heard. */
  async #nextReason(): Promise<PassReason> {
    while (!this.#isStopped) {
      if (!this.#pending.isEmpty) return 'changes';
      const due = this.#schedule.due();
      if (due) return due;
      await this.#pending.wait(this.#schedule.pause, this.#signal);
      if (!this.#pending.isEmpty) continue;
      await this.#holder.present?.watch?.poll();
      if (await this.#haveSettingsChanged()) return 'settings';
    }
    return 'interval';
  }

  async #haveSettingsChanged(): Promise<boolean> {
    this.#changedSettings.push(...(await this.#holder.changedSettings()));
    return this.#changedSettings.length > 0;
  }

  async *#pass(reason: PassReason): AsyncGenerator<WatchEvent> {
    if (this.#isStopped) return;
    this.#passes += 1;
    const pass = this.#passes;
    const changes = await this.#takeChanges(reason);
    try {
      if (this.#changedSettings.length > 0) yield* this.#openAnew();
      const watched = await this.#holder.current();
      const { paths } = changes;
      yield { type: 'pass-start', pass, reason, ...(paths && { paths: paths.length }) };
      const summary = yield* this.#bringUpToDate(watched, changes);
      this.#unfinished = undefined;
      this.#hasWorked = true;
      yield { type: 'pass-end', pass, summary };
    } catch (thrown) {
      const error = asQuarryError(thrown);
      if (this.#isStopped) return;
      if (!this.#hasWorked && endingCodes.includes(error.code)) throw error;
      this.#unfinished = changes;
      yield { type: 'pass-failed', pass, error, retrySeconds: this.#schedule.failed() / 1000 };
      // What broke may lie in what is held open: a folder that was replaced, a store that was lost, and that may not
      // even close well.
      await this.#holder.close().catch(() => undefined);
    }
  }

  /** What this pass is about; whatever is noticed from here on is for the next one. */
  async #takeChanges(reason: PassReason): Promise<Changes> {
    await this.#holder.present?.watch?.poll();
    const isPartial = reason === 'changes' || reason === 'retry';
    // What is opened anew watches nothing yet, so that anything may have changed.
    const isEverything =
      (await this.#haveSettingsChanged()) || !isPartial || this.#holder.present?.isFresh !== false;
    if (isEverything) this.#pending.putBack({ paths: undefined });
    if (this.#unfinished) this.#pending.putBack(this.#unfinished);
    this.#noticed = undefined;
    return this.#pending.take();
  }

  /** Where the new settings cannot be used, those of before go on to hold. */
  async *#openAnew(): AsyncGenerator<WatchEvent> {
    yield { type: 'settings-changed', files: this.#changedSettings.splice(0) };
    try {
      await this.#holder.reopen();
    } catch (thrown) {
      const error = asQuarryError(thrown);
      yield { type: 'settings-refused', error };
    }
  }

  async *#bringUpToDate(
    watched: OpenWatched,
    { paths: only }: Changes,
  ): AsyncGenerator<WatchEvent, IndexSummary> {
    const signal = this.#signal;
    const began = performance.now();
    if (!only) this.#unwatched = watched.watch ? undefined : nothingTold;
    await watched.watch?.refresh({ only, signal });
    // What a model refuses may cost money each time: it is asked once, and again when the settings are others.
    const passOverRefused = !watched.isFresh;
    watched.isFresh = false;
    yield* this.#tellUnwatched(watched);
    const refreshing = performance.now() - began;
    let scanning = 0;
    let isComplete = true;
    let summary: IndexSummary | undefined;
    for await (const event of watched.pass({ only, signal, passOverRefused })) {
      if (event.type === 'scan-start') scanning -= performance.now();
      if (event.type === 'scan-end') scanning += performance.now();
      if (event.type === 'path-skipped') this.#pending.mute(event.skipped);
      if (event.type === 'vectors-failed' && isUnfinished(event)) isComplete = false;
      if (event.type === 'index-end') summary = event.summary;
      yield event;
    }
    if (!summary)
      throw new QuarryError('internal', 'A pass ended without a summary.', 'Report this as a defect.');
    this.#schedule.ended(isComplete);
    if (!only) this.#schedule.scanned(this.#intervalSeconds(watched), refreshing + scanning);
    return summary;
  }

  *#tellUnwatched(watched: OpenWatched): Generator<WatchEvent> {
    if (this.#unwatched?.why === this.#toldUnwatched) return;
    this.#toldUnwatched = this.#unwatched?.why;
    if (!this.#unwatched) return;
    const { folders, why: reason, remedy } = this.#unwatched;
    const intervalSeconds = this.#intervalSeconds(watched);
    yield { type: 'watch-degraded', folders, reason, remedy, intervalSeconds };
  }

  #intervalSeconds({ intervalSeconds }: Watched): number {
    const soon = this.#timing.degradedInterval / 1000;
    if (!this.#unwatched) return intervalSeconds;
    return intervalSeconds === 0 ? soon : Math.min(intervalSeconds, soon);
  }
}
