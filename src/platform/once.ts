import type { Closable } from './close-all.ts';

/** A value that is opened when first asked for and shared from then on. */
export interface Once<Value> extends Closable {
  (): Promise<Value>;
  /** Closes the value if one was opened; one that is being opened is waited for. The next call opens another. */
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
      // One that was closed while it was being opened may have a successor by now.
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
        () => undefined,
      );
      if (opened) await close(opened.present);
    },
  });
}
