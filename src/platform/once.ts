/** A value that is opened when first asked for and shared from then on. */
export interface Once<Value> {
  (): Promise<Value>;
  /** Lets go of the value, closing it if it was opened; the next call opens it again. */
  forget(close: (value: Value) => Promise<void>): Promise<void>;
}

/** Opens once; a failure is not remembered, so that the next call tries again. */
export function once<Value>(open: () => Promise<Value>): Once<Value> {
  let value: Promise<Value> | undefined;
  const get = (): Promise<Value> => {
    value ??= open().catch((thrown: unknown) => {
      value = undefined;
      throw thrown;
    });
    return value;
  };
  return Object.assign(get, {
    async forget(close: (value: Value) => Promise<void>) {
      const opened = value;
      value = undefined;
      if (opened) await close(await opened);
    },
  });
}
