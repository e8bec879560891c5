import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const code = new URL('./kept-code.ts', import.meta.url).href;
const body = Array.from(
  { length: 50 },
  (_, at) => `each.push((text) => text.padEnd(${at + 10}, '.').length);`,
);
const script = (first: string) =>
  `(function (suffix) { const each = []; ${body.join('\n')}\nreturn ['${first}' + suffix, each];\n})`;

/** A part of a program in a folder of its own, and a folder for its compiled code. */
async function aPart(text = script('one ')) {
  const folder = await temporaryFolder();
  const kept = await temporaryFolder();
  writeFileSync(join(folder, 'part.cjs'), text);
  const part = pathToFileURL(join(folder, 'part.js')).href;
  /** Loads it in a process of its own, and runs its functions where asked to. */
  const run = async (command: string, { runs = false, flags = [] as string[] } = {}): Promise<string> => {
    const program = `const { keepCodeIn, loadCode } = await import(${JSON.stringify(code)});
      keepCodeIn(${JSON.stringify(kept)}, ${JSON.stringify(command)});
      const [said, each] = loadCode(${JSON.stringify(part)})('said');
      if (${runs}) for (const one of each) one('text');
      console.log(said);`;
    const words = [...flags, '--input-type=module', '-e', program];
    return (await promisify(execFile)(process.execPath, words)).stdout.trim();
  };
  const file = () => join(kept, readdirSync(kept).find((name) => name.endsWith('.code')) ?? '');
  return { run, file, kept, change: (text: string) => writeFileSync(join(folder, 'part.cjs'), text) };
}

test('what ran is kept beyond what was loaded, for a few runs of each command', async () => {
  const { run, file } = await aPart();
  expect(await run('status')).toBe('one said');
  const { size } = statSync(file());
  await run('search', { runs: true });
  expect(statSync(file()).size).toBeGreaterThan(size * 1.3);
  await run('search', { runs: true });
  const { mtimeMs, ino } = statSync(file());
  expect(await run('search', { runs: true })).toBe('one said');
  expect(statSync(file())).toMatchObject({ mtimeMs, ino });
});

test('a file that is damaged, or of another source of the same length, is rebuilt', async () => {
  const { run, file, change } = await aPart();
  await run('search', { runs: true });
  await run('search', { runs: true });
  const whole = readFileSync(file());
  const overwritten = Buffer.from(whole).fill(7, whole.length >> 1, (whole.length >> 1) + 400);
  for (const damage of [whole.subarray(0, 3), whole.subarray(0, whole.length - 100), overwritten]) {
    writeFileSync(file(), damage);
    expect(await run('search', { runs: true })).toBe('one said');
    expect(readFileSync(file()).length).toBeGreaterThan(whole.length * 0.9);
  }
  change(script('two '));
  expect(await run('search')).toBe('two said');
});

test('nothing is left beside what is kept, and what nobody has kept again for long is removed', async () => {
  const { run, kept } = await aPart();
  const old = join(kept, 'gone-x.code');
  const other = join(kept, 'of-nodejs');
  for (const path of [old, other]) {
    writeFileSync(path, '');
    utimesSync(path, 0, 0);
  }
  await run('search');
  expect(readdirSync(kept).sort()).toEqual(['of-nodejs', expect.stringMatching(/^part-\w+\.code$/)]);
});

test('it runs where nothing can be kept, and as a module where source maps are asked for', async () => {
  const { run, kept } = await aPart();
  expect(await run('search', { flags: ['--enable-source-maps'] })).toBe('one said');
  expect(readdirSync(kept)).toEqual([]);
});
