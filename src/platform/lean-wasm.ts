import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from optimising WebAssembly, as `node --no-wasm-tier-up` does, but for the core of the parser. The optimising
 * compiler needs half a gigabyte for the lexer of a grammar and makes it hardly faster. This affects the whole process, so
 * only a program may call it, before anything is compiled and before a thread starts: later it may crash the process.
 */
export function keepWasmLean(): void {
  if (held.length === 0) held.push(...compileParserCore());
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--no-wasm-tier-up');
}

/** V8 hands compiled code to each thread that compiles the same bytes, as long as somebody has it. */
const held: object[] = [];

/** The part of WebAssembly that is used here; the language's own library has no types for it. */
const { WebAssembly: runtime } = globalThis as unknown as {
  readonly WebAssembly: { readonly Module: new (bytes: Uint8Array) => object };
};

/** What is compiled whole, and now, may be optimised where it is hot, whatever is said afterwards of the rest. */
function compileParserCore(): object[] {
  setFlagsFromString('--no-wasm-lazy-compilation');
  try {
    const core = import.meta.resolve('web-tree-sitter/web-tree-sitter.wasm');
    return [new runtime.Module(readFileSync(fileURLToPath(core)))];
  } catch {
    // Who reads files says what is missing.
    return [];
  } finally {
    setFlagsFromString('--wasm-lazy-compilation');
  }
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
