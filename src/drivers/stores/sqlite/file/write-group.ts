import { QuarryError } from '../../../../core/errors.ts';

/** Chunks of one transaction: it holds the process up for some tens of milliseconds. */
const mostWeight = 100;

interface Member {
  readonly work: () => unknown;
  readonly outcome: PromiseWithResolvers<unknown>;
}

/** Small changes that are committed together, since a transaction costs more than they do. */
export class WriteGroup {
  readonly #members: Member[] = [];
  #weight = 0;

  /** Whether there is room for a change of this weight; the first one always has it. */
  hasRoom(weight: number): boolean {
    return this.#members.length === 0 || this.#weight + weight <= mostWeight;
  }

  /** Resolves with what the change came to once it is committed. */
  add<Result>(work: () => Result, weight: number): Promise<Result> {
    const outcome = Promise.withResolvers<unknown>();
    this.#weight += weight;
    this.#members.push({ work, outcome });
    return outcome.promise as Promise<Result>;
  }

  /** Commits all of them, or each alone where that fails, so that only those fail that are to blame; rejects never. */
  async commit(transact: <Result>(work: () => Result) => Promise<Result>): Promise<void> {
    try {
      const results = await transact(() => this.#members.map(({ work }) => work()));
      for (const [place, { outcome }] of this.#members.entries()) outcome.resolve(results[place]);
    } catch (thrown) {
      // Another process has the file for itself: each of them would wait in vain as long again.
      const isBusy = thrown instanceof QuarryError && thrown.code === 'store-busy';
      for (const { work, outcome } of this.#members)
        await (isBusy ? Promise.reject(thrown) : transact(work)).then(outcome.resolve, outcome.reject);
    }
  }
}
