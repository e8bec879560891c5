import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// In a process of its own, since it is the process that is changed: calls a function until V8 has optimised it, or so
// often that it surely would have, once for the core of the parser and once for a module that was compiled later.
const script = (place: 'process' | 'thread', begin: string) => `
  import { Worker } from 'node:worker_threads';
  const url = (path) => new URL(path, ${JSON.stringify(import.meta.url)}).href;
  const hot = async (run) => {
    const isOptimised = new Function('run', 'return %IsTurboFanFunction(run)');
    for (let round = 0; round < 12; round += 1) {
      for (let call = 0; call < 500_000; call += 1) run(97);
      await new Promise((done) => setTimeout(done, 20));
      if (isOptimised(run)) return true;
    }
    return false;
  };
  const later = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 3, 2, 1, 0, 7, 7, 1, 3, 114, 117, 110, 0, 0, 10, 6, 1, 4, 0, 32, 0, 11]);
  const look = async () => {
    const { Parser } = await import('web-tree-sitter');
    const binding = {};
    await Parser.init(binding);
    const { instance } = await WebAssembly.instantiate(later);
    return { core: await hot(binding._iswalnum), later: await hot(instance.exports.run) };
  };
  const { keepWasmLean } = await import(url('./lean-wasm.ts'));
  ${begin}
  const tell = (found) => process.stdout.write(JSON.stringify(found));
  if (${place === 'process'}) tell(await look());
  else {
    const code = \`(async () => { const hot = \${hot}; const later = new Uint8Array([\${later}]); require('node:worker_threads').parentPort.postMessage(await (\${look})()); })()\`;
    new Worker(code, { eval: true, execArgv: [] }).once('message', tell);
  }
`;

async function optimised(place: 'process' | 'thread', begin: string): Promise<unknown> {
  const words = ['--allow-natives-syntax', '--input-type=module', '--eval', script(place, begin)];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: import.meta.dirname });
  return JSON.parse(stdout);
}

test.each(['process', 'thread'] as const)(
  'the core of the parser is optimised in the %s, and nothing that is compiled later',
  async (place) => {
    expect(await optimised(place, 'keepWasmLean();')).toEqual({ core: true, later: false });
  },
);

test('a process that asks for nothing optimises everything', async () => {
  expect(await optimised('process', '')).toEqual({ core: true, later: true });
});
