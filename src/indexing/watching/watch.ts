import type { ChangeHint } from '../../contracts/source.ts';
import type { ErrorCode } from '../../core/error-catalogue.ts';
import { asQuarryError, QuarryError } from '../../core/errors.ts';
import type { PassReason, WatchEvent } from '../../core/events.ts';
import type { IndexSummary } from '../../core/index-summary.ts';
import { isUnfinished } from '../refused-texts.ts';
import { busyLook, PassSchedule, settle } from './pass-schedule.ts';
import { type Changes, PendingChanges } from './pending-changes.ts';
import { VectorTurn } from './vector-turn.ts';
import { defaultTiming, type WatchTiming } from './watch-timing.ts';
import { type Lookout, type OpenWatched, type Watched, WatchedHolder, type WatchTarget } from './watched.ts';

/** How a watch is run. */
export interface WatchOptions {
  /** Stops the watch, which then ends without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Waits that differ from the usual ones. */
  readonly timing?: Partial<WatchTiming> | undefined;
}

/**
 * Keeps an index in sync with its files until it is stopped. Events of the system only say where to look and when;
 * each pass compares files and index itself, and a scan of everything from time to time finds what no event reported.
 * Making vectors may take hours: changes that come meanwhile interrupt it, and it continues after them. What fails is
 * reported and retried; only a project that cannot be used at all ends the watch with an error.
 */
export async function* watchFiles(
  target: WatchTarget,
  { signal, timing }: WatchOptions = {},
): AsyncGenerator<WatchEvent> {
  const watch = new Watch(target, { ...defaultTiming, ...timing }, signal);
  target.onStart?.(watch);
  try {
    yield* watch.run();
  } finally {
    await watch.close();
  }
}

/** What no later pass can get over, where no pass has ever worked; later on settings and programs may change back. */
const endingCodes: readonly ErrorCode[] = ['config-invalid', 'requirement-missing', 'store-too-new'];

type Unwatched = Extract<ChangeHint, { kind: 'unwatched' }>;

const nothingTold: Unwatched = {
  kind: 'unwatched',
  folders: 0,
  why: 'its source tells of no changes',
  remedy: '',
};

/** One watch from start to end: passes one at a time, and the waiting between them. */
class Watch implements Lookout {
  readonly #timing: WatchTiming;
  readonly #signal: AbortSignal | undefined;
  readonly #pending: PendingChanges;
  readonly #schedule: PassSchedule;
  readonly #turn: VectorTurn;
  readonly #holder: WatchedHolder;
  #passes = 0;
  #changes = 0;
  /** Whether a pass has taken changes and has not brought the text up to date with them. */
  #isTextBehind = false;
  #hasWorked = false;
  /** What a failed pass did not get done. */
  #unfinished: Changes | undefined;
  readonly #changedSettings = new Set<string>();
  #unwatched: Unwatched | undefined;
  #toldUnwatched: string | undefined;

  constructor(target: WatchTarget, timing: WatchTiming, signal: AbortSignal | undefined) {
    this.#timing = timing;
    this.#signal = signal;
    this.#pending = new PendingChanges(timing);
    this.#schedule = new PassSchedule(timing);
    this.#turn = new VectorTurn(timing);
    this.#holder = new WatchedHolder(target, (hint) => this.#notice(hint));
  }

  async *run(): AsyncGenerator<WatchEvent> {
    if (this.#isStopped) return yield { type: 'watch-end', passes: 0 };
    const { folder, intervalSeconds } = await this.#holder.current();
    yield { type: 'watch-start', folder, intervalSeconds };
    for (let reason: PassReason = 'start'; !this.#isStopped; reason = await this.#nextReason()) {
      if (reason === 'changes') {
        yield { type: 'change-noticed', what: this.#pending.sign };
        await settle(this.#pending, this.#holder.present?.watch, this.#timing, this.#signal);
      }
      yield* this.#pass(reason);
    }
    yield { type: 'watch-end', passes: this.#passes };
  }

  close(): Promise<void> {
    return this.#holder.close();
  }

  async changesSoFar(): Promise<number | undefined> {
    const watched = this.#holder.present;
    // Where something is known to be behind, nobody needs to wait for the rest.
    if (!this.#isCovered(watched) || !(await watched.watch?.catchUp?.())) return undefined;
    for (const file of await this.#holder.changedSettings()) this.#changedSettings.add(file);
    return this.#isCovered(watched) ? this.#changes : undefined;
  }

  /** Whether all folders are watched, and all that was noticed there has been dealt with. */
  #isCovered(watched: OpenWatched | undefined): watched is OpenWatched {
    if (watched === undefined || watched !== this.#holder.present || watched.isFresh) return false;
    if (this.#isTextBehind || this.#unfinished || this.#unwatched || this.#changedSettings.size > 0)
      return false;
    return this.#pending.dueIn === Number.POSITIVE_INFINITY;
  }

  get #isStopped(): boolean {
    return this.#signal?.aborted === true;
  }

  #notice(hint: ChangeHint): void {
    if (hint.kind === 'unwatched') this.#unwatched = hint;
    else if (this.#pending.notice(hint)) this.#changes += 1;
  }

  /** Waits until there is a reason for a pass; when the watch is stopped, whatever it says is not heard. */
  async #nextReason(): Promise<PassReason> {
    while (!this.#isStopped) {
      if (this.#changedSettings.size > 0) return 'settings';
      // After a pass that failed nothing is open: what has changed is part of what is tried again when that is due.
      const isOpen = this.#holder.present !== undefined;
      if (isOpen && !this.#pending.isEmpty) return 'changes';
      const due = this.#schedule.due();
      if (due) return due;
      const pause = isOpen ? Math.min(this.#schedule.pause, this.#pending.dueIn) : this.#schedule.pause;
      await this.#pending.wait(pause, this.#signal);
      if (isOpen && !this.#pending.isEmpty) continue;
      await this.#lookAround();
      // While nothing is open, nothing else reports that the project is back.
      if (!this.#holder.present && (await this.#holder.haveRootsChanged())) return 'retry';
    }
    return 'interval';
  }

  /** Looks for what no event reports. */
  async #lookAround(): Promise<void> {
    await this.#holder.present?.watch?.poll();
    for (const file of await this.#holder.changedSettings()) this.#changedSettings.add(file);
  }

  async *#pass(reason: PassReason): AsyncGenerator<WatchEvent> {
    if (this.#isStopped) return;
    this.#passes += 1;
    const pass = this.#passes;
    this.#isTextBehind = true;
    const changes = await this.#takeChanges(reason);
    try {
      if (this.#changedSettings.size > 0) yield* this.#openAnew();
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
      // A root that is missing by now is what is looked for from now on.
      await this.#holder.haveRootsChanged();
      yield { type: 'pass-failed', pass, error, retrySeconds: this.#schedule.failed() / 1000 };
      // What broke may lie in what is held open: a folder that was replaced, a store that was lost, and that may not
      // even close well.
      await this.#holder.close().catch(() => undefined);
    }
  }

  /** What this pass is about; whatever is noticed from here on is for the next one. */
  async #takeChanges(reason: PassReason): Promise<Changes> {
    await this.#lookAround();
    const isPartial = reason === 'changes' || reason === 'retry';
    // What was just opened again watches nothing yet, so that anything may have changed.
    const isEverything =
      this.#changedSettings.size > 0 || !isPartial || this.#holder.present?.isFresh !== false;
    if (isEverything) this.#pending.putBack({ paths: undefined });
    if (this.#unfinished) this.#pending.putBack(this.#unfinished);
    return this.#pending.take();
  }

  /** Where the new settings cannot be used, the previous ones stay in use. */
  async *#openAnew(): AsyncGenerator<WatchEvent> {
    const files = [...this.#changedSettings];
    this.#changedSettings.clear();
    yield { type: 'settings-changed', files };
    try {
      await this.#holder.reopen();
    } catch (thrown) {
      const error = asQuarryError(thrown);
      yield { type: 'settings-refused', error };
    }
  }

  async *#bringUpToDate(watched: OpenWatched, changes: Changes): AsyncGenerator<WatchEvent, IndexSummary> {
    const only = changes.paths;
    const signal = this.#signal;
    const began = performance.now();
    if (!only) this.#unwatched = watched.watch ? undefined : nothingTold;
    await watched.watch?.refresh({ only, signal });
    // What a model refuses may cost money each time: it is asked once, and again when the settings are others.
    const passOverRefused = !watched.isFresh;
    watched.isFresh = false;
    const refreshed = performance.now() - began;
    let scanBegan = 0;
    let isComplete = true;
    let isPaused = false;
    let summary: IndexSummary | undefined;
    let isTextDone = false;
    const over = new AbortController();
    const giveWay = this.#interruptWhenDue(over.signal);
    try {
      for await (const event of watched.pass({ only, signal, passOverRefused, giveWay: giveWay.signal })) {
        this.#turn.hear(event);
        if (event.type === 'scan-start') scanBegan = performance.now();
        if (event.type === 'path-skipped') this.#pending.mute(event.skipped);
        if (event.type === 'vectors-failed' && isUnfinished(event)) isComplete = false;
        if (event.type === 'documents-stale') isComplete = false;
        if (event.type === 'vectors-paused') isPaused = true;
        if (event.type === 'documents-stale' && !event.error) isPaused = true;
        if (event.type === 'index-end') summary = event.summary;
        // To wait for the vectors of another process is no part of it.
        const endsText = ['model-loading', 'index-waiting', 'index-end'].includes(event.type);
        if (!isTextDone && scanBegan > 0 && endsText) {
          isTextDone = true;
          this.#isTextBehind = false;
          this.#pending.passed(changes, refreshed + performance.now() - scanBegan);
        }
        yield event;
        if (event.type !== 'scan-end') continue;
        const took = refreshed + performance.now() - scanBegan;
        yield* this.#planScan(watched, only ? undefined : took);
      }
    } finally {
      over.abort();
      await giveWay.ended;
      this.#turn.ended(giveWay.signal.aborted);
    }
    if (!summary)
      throw new QuarryError('internal', 'A pass ended without a summary.', 'Report this as a defect.');
    if (isPaused && giveWay.signal.aborted) this.#schedule.gaveWay();
    else this.#schedule.ended(isComplete && !isPaused);
    return summary;
  }

  /** Interrupts the making of vectors once something else is due, and looks meanwhile for what no event reports. */
  #interruptWhenDue(over: AbortSignal): { readonly signal: AbortSignal; readonly ended: Promise<void> } {
    const interruption = new AbortController();
    const follow = async (): Promise<void> => {
      let lookAt = performance.now() + this.#timing.poll;
      while (!over.aborted) {
        if (this.#turn.left === 0 && (await this.#isSomethingDue())) return interruption.abort();
        const pause = Math.max(busyLook, this.#turn.left, this.#pending.dueIn);
        await this.#pending.wait(Math.min(this.#timing.poll, pause), over);
        if (over.aborted || performance.now() < lookAt) continue;
        await this.#lookAround();
        lookAt = performance.now() + this.#timing.poll;
      }
    };
    // Whatever cannot be looked at now is looked at again before the next pass, which then fails by it.
    return { signal: interruption.signal, ended: follow().catch(() => undefined) };
  }

  /** Whether something waits that takes less time than making vectors. */
  async #isSomethingDue(): Promise<boolean> {
    if (this.#changedSettings.size > 0 || this.#schedule.isScanDue) return true;
    return this.#pending.dueIn === 0 && !(await this.#holder.present?.watch?.isBusy());
  }

  /** Plans the next scan after one of everything, or of a part that may have turned out not to be watched. */
  *#planScan(watched: Watched, tookMilliseconds: number | undefined): Generator<WatchEvent> {
    const wanted = this.#intervalSeconds(watched);
    const wait =
      tookMilliseconds === undefined
        ? this.#schedule.scanEvery(wanted)
        : this.#schedule.scanned(wanted, tookMilliseconds);
    if (this.#unwatched?.why === this.#toldUnwatched) return;
    this.#toldUnwatched = this.#unwatched?.why;
    if (!this.#unwatched) return;
    const { folders, why: reason, remedy } = this.#unwatched;
    const sooner =
      wait > wanted * 1000
        ? 'A scan takes too long to be made more often, whatever watch.interval_seconds says.'
        : 'To have them scanned more often, lower watch.interval_seconds.';
    yield {
      type: 'watch-degraded',
      folders,
      reason,
      remedy: [remedy, sooner].filter(Boolean).join(' '),
      intervalSeconds: Math.round(wait) / 1000,
    };
  }

  #intervalSeconds({ intervalSeconds }: Watched): number {
    const soon = this.#timing.degradedInterval / 1000;
    if (!this.#unwatched) return intervalSeconds;
    return intervalSeconds === 0 ? soon : Math.min(intervalSeconds, soon);
  }
}
