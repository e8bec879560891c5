import type { ChangeHint } from '../contracts/source.ts';
import type { SkippedPath, SkipReason } from '../core/events.ts';
import { pathScope } from '../core/path-scope.ts';

/** What a pass has to look at. */
export interface Changes {
  /** Paths with what is below them; undefined for everything. */
  readonly paths: readonly string[] | undefined;
}

/** More paths than this are looked at together with all others: a scan of everything is as quick and misses nothing. */
const mostPaths = 500;

/** A verdict on a name alone: the content of such a file cannot change it. */
const verdictsByName: ReadonlySet<SkipReason> = new Set([
  'ignored',
  'build-output',
  'dependencies',
  'lock-file',
  'secret-file',
]);

/** Collects signs of change until a pass takes them, and wakes the one who waits for them. */
export class PendingChanges {
  #everything = false;
  readonly #paths = new Set<string>();
  /** Files that were left out by name: what is written into them leads to no pass. */
  readonly #muted = new Set<string>();
  #wake: (() => void) | undefined;
  #lastAt = 0;

  /** When the last change was noticed, in milliseconds of the clock that `performance` tells. */
  get lastAt(): number {
    return this.#lastAt;
  }

  get isEmpty(): boolean {
    return !this.#everything && this.#paths.size === 0;
  }

  /** Whether the hint led to something to do. */
  notice(hint: Exclude<ChangeHint, { kind: 'unwatched' }>): boolean {
    if (hint.kind === 'path' && hint.contentOnly && this.#muted.has(hint.uri)) return false;
    if (hint.kind === 'everything') this.#everything = true;
    else if (!this.#everything) this.#paths.add(hint.uri);
    if (this.#paths.size > mostPaths) this.#everything = true;
    this.#lastAt = performance.now();
    this.#wake?.();
    return true;
  }

  /** Hands over what is pending; what comes from now on is for the next pass. */
  take(): Changes {
    const paths = this.#everything ? undefined : [...this.#paths];
    this.#everything = false;
    this.#paths.clear();
    // A folder may stand for new rules in it: what lies below is judged again by the pass.
    const scope = paths && pathScope(paths);
    for (const uri of this.#muted) if (!scope || scope.holds(uri)) this.#muted.delete(uri);
    return { paths };
  }

  /** Takes back what a failed pass did not get done, without counting it as a new change. */
  putBack({ paths }: Changes): void {
    if (paths === undefined) this.#everything = true;
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
}
