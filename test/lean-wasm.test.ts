import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testedProgram } from './quarry-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Bytes of a function beyond which the optimising compiler takes hundreds of megabytes. */
const largeFunction = 50_000;
/** Makes V8 optimise at once what has run for a while, and tell of all that it compiles. */
const traceFlags = ['--trace-wasm-compilation-times', '--wasm-sync-tier-up', '--wasm-tiering-budget=100000'];

test.each([
  [['index']],
  // A query that is the name of another command.
  [['search', 'eval']],
])(
  'quarry %j never has the optimising compiler work on a grammar, which takes half a gigabyte',
  async (words) => {
    const text = 'export class A { b(c: number): number { return c + 1; } }\n'.repeat(200);
    const folder = await temporaryFolder({ 'a.ts': text, 'b.ts': `${text}//\n`, 'c.ts': `${text}///\n` });
    const command = [...words, '--quiet', '--project', folder, '--set', 'embedder.driver=hashing'];
    const trace = await traceOf([testedProgram, ...command]);
    const largest = (compiler: string) =>
      trace
        .split('\n')
        .filter((line) => line.includes(`using ${compiler}`))
        .map((line) => Number(/bodysize (\d+)/.exec(line)?.[1] ?? 0))
        .reduce((max, size) => Math.max(max, size), 0);
    // What Node.js itself had compiled before the program began may be optimised: it is small.
    expect(largest('Liftoff')).toBeGreaterThan(largeFunction);
    expect(largest('TurboFan')).toBeLessThan(largeFunction);
  },
);

/** What V8 tells of a program. It goes into a file: of what V8 writes to a pipe that is full, lines are lost. */
async function traceOf(words: readonly string[]): Promise<string> {
  const path = join(await temporaryFolder(), 'trace.txt');
  const file = openSync(path, 'w');
  const child = spawn(process.execPath, [...traceFlags, ...words], { stdio: ['ignore', file, 'inherit'] });
  const [code] = await once(child, 'exit');
  closeSync(file);
  expect(code).toBe(0);
  return readFile(path, 'utf8');
}
