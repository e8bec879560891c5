/** Longest the end of a process waits for a native call to return. */
const maxWaitMilliseconds = 10_000;
const busy = 0;
const stopping = 1;

/**
 * Shared by the model's thread and the process that owns it. Ending a process while a native call runs in one of
 * its threads aborts it; this lets the process wait out the call in progress and keeps a further one from starting.
 */
export type BusyFlag = Int32Array<SharedArrayBuffer>;

const flags = new Set<BusyFlag>();

/** A flag that says idle; the end of the process waits while it says busy. */
export function createBusyFlag(): BusyFlag {
  const flag = new Int32Array(new SharedArrayBuffer(8));
  if (flags.size === 0) process.once('exit', () => flags.forEach(waitUntilIdle));
  flags.add(flag);
  return flag;
}

/** Says that the thread has ended and makes no call any more. */
export function markIdle(flag: BusyFlag): void {
  Atomics.store(flag, busy, 0);
}

/** Runs a native call under the flag; once the process is ending the call is never made and never returns. Without a flag it is made. */
export async function whileBusy<Value>(
  flag: BusyFlag | undefined,
  call: () => Promise<Value>,
): Promise<Value> {
  if (!flag) return call();
  Atomics.store(flag, busy, 1);
  const ending = Atomics.load(flag, stopping) === 1;
  try {
    if (!ending) return await call();
  } finally {
    Atomics.store(flag, busy, 0);
    Atomics.notify(flag, busy);
  }
  return new Promise<Value>(() => {});
}

/** Blocks until no native call runs; for the last moment of a process. */
function waitUntilIdle(flag: BusyFlag): void {
  Atomics.store(flag, stopping, 1);
  Atomics.wait(flag, busy, 1, maxWaitMilliseconds);
}
