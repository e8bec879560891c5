import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SearchBounds, StoreMatch } from '../../../../contracts/store.ts';
import { type Clock, systemClock } from '../../../../platform/clock.ts';
import { threadFile } from '../../../../platform/package-folder.ts';
import type { Thread } from '../../../../platform/threads/thread.ts';
import type { Connection, Elsewhere } from '../file/connection.ts';

/** A search in one file, as data: for words, or for the nearest vectors of a space. */
export type FileSearch =
  | { readonly words: readonly string[]; readonly bounds: SearchBounds }
  | { readonly space: string; readonly vector: Float32Array; readonly bounds: SearchBounds };

/** What the second thread is asked: a search, or to close a file. It answers with the matches as JSON, which is read quicker than copies of objects. */
export type SharedRequest =
  | { readonly file: Elsewhere; readonly search: FileSearch }
  | { readonly close: string };

/** A second thread for searches. */
export type SecondThread = Pick<Thread<SharedRequest, string>, 'call' | 'end'>;

/** Milliseconds that searches which wait for each other may take here before a second thread is worth its start. */
const worthStarting = 20;
/** Searches that the second thread has at once: one to work on, and one for the time that this thread is busy. */
const lentAtOnce = 2;
/** Milliseconds after which a thread that is not needed ends. */
const restAfter = 60_000;

interface Waiting {
  readonly file: Connection;
  readonly search: FileSearch;
  readonly here: () => StoreMatch[];
  readonly answer: PromiseWithResolvers<StoreMatch[]>;
}

/**
 * The searches in all open files of a process, one after the other: SQLite keeps the thread that it works in. Where several wait and take long,
 * as when several projects are asked at once, a second thread does some of them. Both answer alike; what the second one cannot do is done here.
 */
export class SharedSearches {
  readonly #openThread: () => Promise<SecondThread>;
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  /** Those that have no answer yet, wherever they are. */
  readonly #unanswered = new Map<Connection, Set<Promise<unknown>>>();
  #isWorking = false;
  #isStarting = false;
  /** There while it takes calls. */
  #thread: SecondThread | undefined;
  #lent = 0;
  #rest: NodeJS.Timeout | undefined;

  constructor(openThread: () => Promise<SecondThread>, clock: Clock = systemClock) {
    this.#openThread = openThread;
    this.#clock = clock;
  }

  /** Does this search, here or in the second thread. */
  run(file: Connection, search: FileSearch, here: () => StoreMatch[]): Promise<StoreMatch[]> {
    const answer = Promise.withResolvers<StoreMatch[]>();
    const unanswered = this.#unanswered.get(file) ?? new Set();
    this.#unanswered.set(file, unanswered.add(answer.promise));
    const forget = () => void unanswered.delete(answer.promise);
    answer.promise.then(forget, forget);
    this.#waiting.push({ file, search, here, answer });
    if (!this.#isWorking) void this.#work();
    return answer.promise;
  }

  /** Waits for the searches of a file, and has the second thread close it. */
  async release(file: Connection): Promise<void> {
    await Promise.allSettled(this.#unanswered.get(file) ?? []);
    this.#unanswered.delete(file);
    // A thread that fails has ended, and its files with it.
    await this.#thread?.call({ close: file.path }).catch(() => undefined);
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    const started = this.#clock.now();
    for (;;) {
      // Others that are asked at the same time come to wait as well, and answers of the thread come in.
      await nextTurn();
      this.#lend();
      const task = this.#waiting.shift();
      if (!task) break;
      // One that waits for a writer keeps nobody else waiting.
      void this.#here(task);
      if (this.#waiting.length > 1 && this.#clock.now() - started >= worthStarting) void this.#start();
    }
    this.#isWorking = false;
  }

  async #here({ file, here, answer }: Waiting): Promise<void> {
    await file.read(here).then(answer.resolve, answer.reject);
  }

  async #start(): Promise<void> {
    if (this.#thread || this.#isStarting || availableParallelism() < 2) return;
    this.#isStarting = true;
    try {
      const thread = await this.#openThread();
      // Nothing waits for it meanwhile.
      await thread.call({ close: '' }, { isBackground: true });
      this.#thread = thread;
      this.#restLater();
    } catch {
      // All of it is done here.
    } finally {
      this.#isStarting = false;
    }
  }

  #lend(): void {
    while (this.#thread && this.#lent < lentAtOnce && this.#waiting.length > 1) {
      const found = this.#lastForElsewhere();
      if (!found) return;
      void this.#there(this.#thread, found.task, found.file);
    }
  }

  /** Takes the last one that another thread can do, the first one aside; to find that out, the system is asked for its file. */
  #lastForElsewhere(): { readonly task: Waiting; readonly file: Elsewhere } | undefined {
    for (let place = this.#waiting.length - 1; place > 0; place -= 1) {
      const task = this.#waiting[place];
      const file = task?.file.elsewhere();
      if (!task || !file) continue;
      this.#waiting.splice(place, 1);
      return { task, file };
    }
    return undefined;
  }

  async #there(thread: SecondThread, task: Waiting, file: Elsewhere): Promise<void> {
    this.#lent += 1;
    clearTimeout(this.#rest);
    try {
      // The thread wrote it.
      const matches = JSON.parse(await thread.call({ file, search: task.search })) as StoreMatch[];
      task.answer.resolve(matches);
    } catch {
      // What is wrong is said in the words of this thread, and what is wrong with the other one is no concern of the caller.
      await this.#here(task);
    } finally {
      this.#lent -= 1;
      if (this.#lent === 0) this.#restLater();
      this.#lend();
    }
  }

  #restLater(): void {
    clearTimeout(this.#rest);
    const end = (): void => {
      const thread = this.#thread;
      this.#thread = undefined;
      void thread?.end();
    };
    this.#rest = setTimeout(end, restAfter).unref();
  }
}

/** Those of this process. */
export const sharedSearches = new SharedSearches(async () => {
  const { createThread } = await import('../../../../platform/threads/thread.ts');
  return createThread<SharedRequest, string>({
    file: threadFile('drivers/stores/sqlite/sharing/search-thread'),
    isSilent: true,
  });
});
