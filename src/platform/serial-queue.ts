/** Does one piece of work after another, in the order in which they are given. */
export interface SerialQueue {
  <Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when all work that was given so far is over, whatever became of it. */
  over(): Promise<void>;
}

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  const take = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    // The caller hears of it; the next one only waits for its turn.
    last = turn.catch(() => {});
    return turn;
  };
  return Object.assign(take, {
    over: async () => {
      await last;
    },
  });
}
