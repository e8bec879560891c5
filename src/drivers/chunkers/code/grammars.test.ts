import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Makes V8 optimise at once what has run for a while, and tell of it. */
const optimisingFlags = [
  '--trace-wasm-compilation-times',
  '--wasm-sync-tier-up',
  '--wasm-tiering-budget=100000',
];
/** Bytes of a function beyond which the optimising compiler takes hundreds of megabytes. */
const largeFunction = 50_000;

test('large lexers are never optimised, which takes half a gigabyte; the parser itself is', async () => {
  const grammars = new URL('./grammars.ts', import.meta.url).href;
  const program = `
    import { setFlagsFromString } from 'node:v8';
    const { parse } = await import(${JSON.stringify(grammars)});
    for (const flag of ${JSON.stringify(optimisingFlags)}) setFlagsFromString(flag);
    const text = 'export class A { b(c: number): number { return c + 1; } }\\n'.repeat(200);
    for (let round = 0; round < 20; round += 1) (await parse(text, 'typescript', 60_000)).tree.delete();`;
  const words = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, words, { maxBuffer: 2 ** 26 });
  const sizes = (compiler: string): number[] =>
    stdout
      .split('\n')
      .filter((line) => line.includes(`using ${compiler}`))
      .map((line) => Number(/bodysize (\d+)/.exec(line)?.[1]));
  expect(Math.max(...sizes('Liftoff'))).toBeGreaterThan(largeFunction);
  expect(sizes('TurboFan')).not.toEqual([]);
  expect(Math.max(...sizes('TurboFan'))).toBeLessThan(largeFunction);
}, 60_000);
