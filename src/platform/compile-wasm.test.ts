import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { compileQuickly, shareCompileLock } from './compile-wasm.ts';

const here = new URL('./compile-wasm.ts', import.meta.url).href;
/** The shortest module there is: its magic number and version. */
const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

test('threads hold the lock of the thread that started them', async () => {
  const file = join(await temporaryFolder(), 'thread.mjs');
  const source = `import { parentPort } from 'node:worker_threads';
    import { compileQuickly, shareCompileLock } from ${JSON.stringify(here)};
    compileQuickly(Uint8Array.of(${empty.join()}));
    parentPort.postMessage(shareCompileLock());`;
  await writeFile(file, source);
  const lock = shareCompileLock();
  const [theirs] = (await once(new Worker(pathToFileURL(file)), 'message')) as [Int32Array];
  expect(theirs[0]).toBe(0);
  lock[0] = 7;
  expect(theirs[0]).toBe(7);
  lock[0] = 0;
});

test('a lock that an ended thread left behind is taken over', () => {
  const lock = shareCompileLock();
  lock[0] = 1;
  expect(compileQuickly(empty)).toBeDefined();
  expect(lock[0]).toBe(0);
});

test('flags that the user has turned off stay off', async () => {
  const program = `
    import v8 from 'node:v8';
    import { syncBuiltinESMExports } from 'node:module';
    const set = v8.setFlagsFromString;
    const flags = new Map();
    v8.setFlagsFromString = (flag) => {
      set(flag);
      flags.set(flag.replace(/^--(no-)?/, ''), !flag.startsWith('--no-'));
    };
    syncBuiltinESMExports();
    const { compileQuickly } = await import(${JSON.stringify(here)});
    compileQuickly(Uint8Array.of(${empty.join()}));
    console.log(JSON.stringify(Object.fromEntries(flags)));`;
  const words = ['--no-wasm-tier-up', '--nowasm_dynamic_tiering', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  expect(JSON.parse(stdout)).toEqual({
    'wasm-dynamic-tiering': false,
    'wasm-tier-up': false,
    'wasm-lazy-compilation': true,
  });
});

test('code that is broken leaves the lock free', () => {
  expect(() => compileQuickly(Uint8Array.of(1, 2, 3))).toThrow(/WebAssembly/);
  expect(shareCompileLock()[0]).toBe(0);
});
