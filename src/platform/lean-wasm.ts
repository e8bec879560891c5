import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 to its quick compiler for WebAssembly, as `node --no-wasm-tier-up` does: the optimising one takes half a
 * gigabyte for the lexer of a grammar, and makes it hardly faster. It holds for the whole process, so only a program
 * decides it, and only before anything is compiled or a thread is started: changed later, it may end the process.
 */
export function keepWasmLean(): void {
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--no-wasm-tier-up');
}
