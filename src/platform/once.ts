import type { Closable } from './close-all.ts';

/** A value that is opened by the first call and then shared. */
export interface Once<Value> extends Closable {
  (): Promise<Value>;
  /** Closes the value if there is one, after waiting for one that is being opened. The next call opens a new one. */
  close(): Promise<void>;
}

/** Opens once; a failure is not remembered, so that the next call tries again. */
export function once<Value>(
  open: () => Promise<Value>,
  close: (value: Value) => Promise<void> = async () => {},
): Once<Value> {
  let value: Promise<Value> | undefined;
  const get = (): Promise<Value> => {
    if (value) return value;
    const opening = open().catch((thrown: unknown) => {
      // After a close during the opening, `value` may already be a newer one.
      if (value === opening) value = undefined;
      throw thrown;
    });
    value = opening;
    return opening;
  };
  return Object.assign(get, {
    async close() {
      const opening = value;
      value = undefined;
      const opened = await opening?.then(
        (present) => ({ present }),
        // What could not be opened needs no closing; who asked for it was told.
        () => undefined,
      );
      if (opened) await close(opened.present);
    },
  });
}
