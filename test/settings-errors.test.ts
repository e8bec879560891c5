import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callQuarry } from './quarry-call.ts';
import { temporaryFolder } from './temporary-folder.ts';

const quarry = (folder: string, ...words: string[]) => callQuarry(folder, words);
const hostile = `{${'{a,b},'.repeat(120)}c}`;

test.each([
  ['an unknown chunker', '[chunkers]\nsemantic = ["*.md"]', 'chunkers.semantic', 'prose'],
  ['an unknown embedder', '[embedder]\ndriver = "toString"', 'embedder.driver', 'local'],
  ['an embedder without its address', '[embedder]\ndriver = "tei"', 'lacks url', 'Set embedder.url'],
  ['a setting of another embedder', '[embedder]\ndriver = "hashing"\nurl = "x"', 'url', 'Remove'],
  ['a name that no table may have', '[types]\n__proto__ = ["*.md"]', '__proto__', 'types of documents'],
  ['a glob that is too complex', `[types]\nnote = ["${hostile}"]`, 'types.note is', 'wildcard'],
])('%s ends a run before a file is read', async (_, toml, message, remedy) => {
  const folder = await temporaryFolder({ 'a.md': '# One\n', 'quarry.toml': `${toml}\n` });
  const { code, stderr } = await quarry(folder, 'index');
  expect(stderr).toContain(message);
  expect(stderr).toContain(remedy);
  expect([2, 4]).toContain(code);
  expect(existsSync(join(folder, '.quarry'))).toBe(false);
});

test.each([
  ['no TOML', '[search]\ntop_k = 8\n[index\n', 'line 3'],
  ['an unknown setting', '[search]\n# few\nlimit = 8\n', 'line 3'],
  ['a bad value', 'search = { top_k = "many" }\n', 'line 1'],
])('with %s in quarry.toml, doctor, trust and consent work and name the line', async (_, toml, line) => {
  const folder = await temporaryFolder({ 'a.md': '# One\n', 'quarry.toml': toml });
  const doctor = await quarry(folder, 'doctor');
  expect(doctor).toMatchObject({ code: 1, stderr: '' });
  expect(doctor.stdout).toContain(line);
  expect(doctor.stdout).toContain('model');
  const given = await quarry(folder, 'consent', 'give', 'https://api.example.com');
  expect(given).toMatchObject({ code: 0, stderr: expect.stringContaining(line) });
  expect((await quarry(folder, 'consent', 'list')).stdout).toContain('https://api.example.com');
  expect(await quarry(folder, 'consent', 'withdraw')).toMatchObject({ code: 0 });
  expect(await quarry(folder, 'trust', 'show')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(line),
  });
  expect(await quarry(folder, 'trust', 'withdraw')).toMatchObject({ code: 0 });
  // Nobody can agree to what cannot be read, and what needs the settings stops.
  for (const words of [['trust', 'give'], ['search', 'one'], ['status']]) {
    expect(await quarry(folder, ...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(line) });
  }
});

test('documents of a type that is named like a part of every object are indexed, counted and found', async () => {
  const toml = '[types]\ntoString = ["*.md"]\nconstructor = ["*.txt"]\n[embedder]\ndriver = "hashing"\n';
  const folder = await temporaryFolder({ 'a.md': '# Pears\n', 'b.txt': 'pears\n', 'quarry.toml': toml });
  expect(await quarry(folder, 'index')).toMatchObject({ code: 0 });
  const { stdout } = await quarry(folder, 'search', 'pears', '--type', 'toString', '--json');
  expect(JSON.parse(stdout).hits.map(({ path }: { path: string }) => path)).toEqual(['a.md']);
  const status = JSON.parse((await quarry(folder, 'status', '--json')).stdout);
  expect(status.types).toMatchObject({ toString: 1, constructor: 1 });
});

test('a filter that is too complex is refused with its remedy', async () => {
  const folder = await temporaryFolder({ 'a.md': '# One\n' });
  const words = ['search', 'one', '--set', 'embedder.driver=hashing', '--path', '{1..100000000}/**'];
  const { code, stderr } = await quarry(folder, ...words);
  expect(stderr).toContain('stands for more than 200 patterns');
  expect(code).toBe(2);
});
