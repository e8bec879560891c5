/** With which Node.js optimises no grammar, as our programs do: that takes longer than the lexers of tests run. */
export const leanWasm = ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up'];
