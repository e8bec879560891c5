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
