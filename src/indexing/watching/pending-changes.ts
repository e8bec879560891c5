import type { ChangeHint } from '../../contracts/source.ts';
import { pathScope } from '../../core/documents/path-scope.ts';
import type { SkippedPath, SkipReason } from '../../core/events.ts';
import { CostlyPaths, type RestTiming } from './costly-paths.ts';
import type { WatchTiming } from './watch-timing.ts';

/** How long changes are waited for. */
export type SettlingTiming = Pick<WatchTiming, 'quiet' | 'maxWait'> & RestTiming;

/** What a pass has to look at. */
export interface Changes {
  /** Paths with what is below them; undefined for everything. */
  readonly paths: readonly string[] | undefined;
}

/** More paths than this are looked at together with all others: a scan of everything is as quick and misses nothing. */
const maxPaths = 500;

/** A verdict on a name alone: the content of such a file cannot change it. */
const verdictsByName: ReadonlySet<SkipReason> = new Set([
  'ignored',
  'build-output',
  'own-files',
  'dependencies',
  'lock-file',
  'secret-file',
]);

/** Collects signs of change until a pass takes them, and wakes the one who waits for them. */
export class PendingChanges {
  readonly #timing: SettlingTiming;
  readonly #costly: CostlyPaths;
  /** Why everything is to be looked at, where it is. */
  #everything: string | undefined;
  readonly #paths = new Set<string>();
  /** Files that were left out by name: what is written into them leads to no pass. */
  readonly #muted = new Set<string>();
  #wake: (() => void) | undefined;
  #firstAt = 0;
  #lastAt = 0;

  constructor(timing: SettlingTiming) {
    this.#timing = timing;
    this.#costly = new CostlyPaths(timing);
  }

  /** When the first of the changes was noticed, in milliseconds of `performance.now()`. */
  get firstAt(): number {
    return this.#firstAt;
  }

  /** When the last of them was noticed; changes that are held back count for neither. */
  get lastAt(): number {
    return this.#lastAt;
  }

  get isEmpty(): boolean {
    return !this.#hasPrompt && this.#costly.dueIn > 0;
  }

  /** Milliseconds until what is pending has settled; infinite where nothing is pending. */
  get dueIn(): number {
    const settledAt = this.#hasPrompt
      ? Math.min(this.#lastAt + this.#timing.quiet, this.#firstAt + this.#timing.maxWait)
      : Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(settledAt - performance.now(), this.#costly.dueIn));
  }

  /** What changed first, in a word. */
  get sign(): string {
    const [path] = [...this.#paths, ...this.#costly.due()];
    return this.#everything ?? path ?? '';
  }

  /** Whether the hint led to something to do. */
  notice(hint: Exclude<ChangeHint, { kind: 'unwatched' }>): boolean {
    if (hint.kind === 'path' && hint.contentOnly && this.#muted.has(hint.uri)) return false;
    // A name that came or went is never held back: a file that moved is known by both of its names together.
    if (hint.kind === 'path' && hint.contentOnly && !this.#paths.has(hint.uri)) {
      const wasHeld = this.#costly.holds(hint.uri);
      if (this.#costly.holdsBack(hint.uri)) {
        // A caller that waits needs the time from now on.
        if (!wasHeld) this.#wake?.();
        return true;
      }
    }
    this.#lastAt = performance.now();
    if (!this.#hasPrompt) this.#firstAt = this.#lastAt;
    if (hint.kind === 'everything') this.#everything ??= hint.why;
    else if (this.#everything === undefined) this.#paths.add(hint.uri);
    if (this.#paths.size > maxPaths) this.#everything ??= 'many files have changed';
    this.#wake?.();
    return true;
  }

  /** Hands over what is pending; what comes from now on is for the next pass. */
  take(): Changes {
    const isEverything = this.#everything !== undefined;
    const paths = isEverything ? undefined : [...new Set([...this.#paths, ...this.#costly.due()])];
    this.#costly.take(paths);
    this.#everything = undefined;
    this.#paths.clear();
    // A folder may stand for new rules in it: what lies below is judged again by the pass.
    const scope = paths && pathScope(paths);
    for (const uri of this.#muted) if (!scope || scope.holds(uri)) this.#muted.delete(uri);
    return { paths };
  }

  /** Notes how long it took to bring the text of what was taken up to date. */
  passed({ paths }: Changes, milliseconds: number): void {
    if (paths) this.#costly.noteCost(paths, milliseconds);
  }

  /** Takes back what a failed pass did not get done, without counting it as a new change. */
  putBack({ paths }: Changes): void {
    if (paths === undefined) this.#everything ??= 'a pass is due';
    else for (const path of paths) this.#paths.add(path);
  }

  /** Notes that a path was left out. */
  mute({ uri, reason }: SkippedPath): void {
    if (verdictsByName.has(reason)) this.#muted.add(uri.replace(/\/$/, ''));
  }

  /** Resolves at the next notice, when the time is over or when stopped, whichever comes first. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.#wake = done;
      signal?.addEventListener('abort', done, { once: true });
      if (signal?.aborted) done();
    });
  }

  get #hasPrompt(): boolean {
    return this.#everything !== undefined || this.#paths.size > 0;
  }
}
