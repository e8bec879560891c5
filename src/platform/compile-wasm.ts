import { setFlagsFromString } from 'node:v8';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** Compiled code that any thread can make an instance of. */
export type CompiledWasm = object;

// Built into Node.js, but no part of the language's own library that the types are checked against.
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => CompiledWasm };

/** Where threads find the lock of the thread that started them. */
const lockName = 'quarry:compile-wasm';
/** Where they find which flags the process was started without: the arguments of a thread do not tell. */
const flagsName = 'quarry:wasm-flags';
/** What keeps V8 to its quick compiler: all functions at once, and none a second time once it is hot. */
const quickFlags = ['wasm-dynamic-tiering', 'wasm-tier-up', 'wasm-lazy-compilation'] as const;

/** A thread that was ended while it held the lock does not give it back: after this time others go on without. */
const longestWaitMilliseconds = 1000;

/**
 * Compiles with the quick compiler alone, for code with very large functions: the optimising compiler takes half a
 * gigabyte and seconds for one of a hundred kilobytes, and what it makes of a table-driven lexer is hardly faster.
 */
export function compileQuickly(bytes: Uint8Array<ArrayBuffer>): CompiledWasm {
  const lock = shareCompileLock();
  take(lock);
  // The flags are those of the whole process, so that they are changed for these milliseconds only.
  for (const flag of quickFlags) setFlagsFromString(`--no-${flag}`);
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    for (const flag of usualFlags()) setFlagsFromString(`--${flag}`);
    release(lock);
  }
}

/** The lock that this thread shares with its parent and with every thread it starts from now on. */
export function shareCompileLock(): Int32Array {
  const known = getEnvironmentData(lockName);
  if (known instanceof Int32Array) return known;
  const lock = new Int32Array(new SharedArrayBuffer(4));
  setEnvironmentData(lockName, lock);
  setEnvironmentData(flagsName, turnedOff(process.execArgv));
  return lock;
}

/** The flags that are on while nothing is compiled quickly. */
function usualFlags(): readonly string[] {
  const off = getEnvironmentData(flagsName);
  return quickFlags.filter((flag) => !(Array.isArray(off) && off.includes(flag)));
}

/** The flags that the user has turned off, however they are written: `--no-wasm-tier-up`, `--nowasm_tier_up`. */
function turnedOff(words: readonly string[]): string[] {
  const plain = words.map((word) => word.replaceAll('_', '-'));
  return quickFlags.filter((flag) => plain.includes(`--no-${flag}`) || plain.includes(`--no${flag}`));
}

function take(lock: Int32Array): void {
  const deadline = performance.now() + longestWaitMilliseconds;
  while (Atomics.compareExchange(lock, 0, 0, 1) !== 0 && performance.now() < deadline)
    Atomics.wait(lock, 0, 1, longestWaitMilliseconds);
}

function release(lock: Int32Array): void {
  Atomics.store(lock, 0, 0);
  Atomics.notify(lock, 0, 1);
}
