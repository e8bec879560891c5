import { QuarryError } from '../../../../core/errors.ts';

/** Chunks of one transaction: it holds the process up for some tens of milliseconds. */
const maxWeight = 100;

/** One of the small changes that are committed together. */
export interface SmallChange<Result> {
  readonly weight: number;
  /** What it changes: no two changes of one transaction have any of it in common. */
  readonly about: readonly string[];
  readonly work: () => Result;
  /** What is left to do once for all changes of a transaction; only those with the same one share it. */
  readonly finish: (results: readonly Result[]) => void;
}

interface Member<Result> {
  readonly work: () => Result;
  readonly outcome: PromiseWithResolvers<Result>;
}

/** Small changes that are committed together, since a transaction costs more than they do. */
export class WriteGroup<Result> {
  readonly #members: Member<Result>[] = [];
  readonly #about = new Set<string>();
  readonly #finish: SmallChange<Result>['finish'];
  #weight = 0;

  constructor(finish: SmallChange<Result>['finish']) {
    this.#finish = finish;
  }

  /** Whether a change belongs here and has room. */
  takes({ weight, about, finish }: Pick<SmallChange<never>, 'weight' | 'about' | 'finish'>): boolean {
    const isAlike = finish === this.#finish && !about.some((name) => this.#about.has(name));
    return isAlike && this.#weight + weight <= maxWeight;
  }

  /** Resolves with what the change came to once it is committed. */
  add({ work, weight, about }: SmallChange<Result>): Promise<Result> {
    const outcome = Promise.withResolvers<Result>();
    this.#weight += weight;
    for (const name of about) this.#about.add(name);
    this.#members.push({ work, outcome });
    return outcome.promise;
  }

  /** Commits all of them, or each alone where that fails, so that only those fail that are to blame; rejects never. */
  async commit(transact: <Value>(work: () => Value) => Promise<Value>): Promise<void> {
    const done = (works: readonly (() => Result)[]) =>
      transact(() => {
        const results = works.map((work) => work());
        this.#finish(results);
        return results;
      });
    try {
      const results = await done(this.#members.map(({ work }) => work));
      // As many as there are members.
      for (const [place, { outcome }] of this.#members.entries()) outcome.resolve(results[place] as Result);
    } catch (thrown) {
      // Another process has the file for itself: each of them would wait in vain as long again.
      const isBusy = thrown instanceof QuarryError && thrown.code === 'store-busy';
      for (const { work, outcome } of this.#members)
        await (isBusy ? Promise.reject(thrown) : done([work])).then(
          ([result]) => outcome.resolve(result as Result),
          outcome.reject,
        );
    }
  }
}
