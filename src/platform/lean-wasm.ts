import { setFlagsFromString } from 'node:v8';

/**
 * Limits V8 to its quick compiler for WebAssembly, as `node --no-wasm-tier-up` does. The optimising compiler needs half a
 * gigabyte for the lexer of a grammar and makes it hardly faster. This affects the whole process, so only a program may
 * call it, before anything is compiled and before a thread starts: later it may crash the process.
 */
export function keepWasmLean(): void {
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--no-wasm-tier-up');
}

let isDue = false;

/**
 * The same, but only when files are about to be read, for a command that compiles nothing before. With other flags V8
 * refuses the compiled code that Node.js brings for its own modules: that costs the process 50 ms of CPU and each thread
 * 120, and most searches read no file.
 */
export function keepWasmLeanForReading(): void {
  isDue = true;
}

/** Called before a thread that reads files is started. */
export function beforeReading(): void {
  if (isDue) keepWasmLean();
  isDue = false;
}
