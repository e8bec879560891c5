import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startQuarry } from './quarry-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Runs a command in a project whose cache is on, as by default. */
function run(folder: string, words: readonly string[], env: Record<string, string>) {
  return startQuarry(folder, words, { QUARRY_CACHE_MAX_BYTES: '1000000', ...env }).finished;
}

const newProject = () => temporaryFolder({ 'notes.md': '# Tides\n\nThe harbour floods at spring tide.\n' });
const hasProcesses = existsSync('/proc/self');

/** Homes that cannot be written, by what they are. */
const homes = [
  ['a folder of the system that refuses new ones', '/proc', hasProcesses],
  ['below such a folder', '/proc/self/home/user', hasProcesses],
  ['a device', '/dev/null', existsSync('/dev/null')],
  ['below a file', join(process.execPath, 'home'), true],
] as const;

describe.each(homes.filter(([, , isHere]) => isHere))('with a home that is %s', (_, home) => {
  test('a search answers, and says once that the vector cache cannot be used', async () => {
    const folder = await newProject();
    const words = ['search', 'harbour', '--set', 'embedder.driver=hashing'];
    const { code, stdout, stderr } = await run(folder, words, { HOME: home });
    expect(stdout).toContain('The harbour floods at spring tide.');
    expect(stderr.match(/The vector cache .* cannot be used/g)).toHaveLength(1);
    expect(stderr).toContain(`${home}/.cache/quarry/vectors.db`);
    expect(code).toBe(0);
    expect((await readdir(folder)).sort()).toEqual(['.quarry', 'notes.md']);
  });

  test.each([
    ['model', ['model', 'add', 'bge-small-en-v1.5', '--from', 'notes.md'], 'models cannot be written'],
    ['consent', ['consent', 'give', 'https://api.example.com'], 'cannot be written'],
  ])('adding a %s fails with its remedy', async (_name, words, message) => {
    const { code, stderr } = await run(await newProject(), words, { HOME: home });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/writable/);
    expect(code).not.toBe(0);
  });
});

test('the inference runtime leaves nothing in the home or the project', async () => {
  const folder = await newProject();
  const home = await temporaryFolder();
  const { stdout } = await run(folder, ['search', 'harbour'], { HOME: home });
  expect(stdout).toContain('The harbour floods');
  const kept = await readdir(home, { recursive: true });
  const ours = ['.cache', '.cache/quarry', '.cache/quarry/checked', '.cache/quarry/vectors.db'];
  expect(kept.filter((path) => !path.endsWith('.txt')).sort()).toEqual(ours);
  await run(folder, ['index', '--full'], { HOME: '/dev/null' });
  expect((await readdir(folder)).sort()).toEqual(['.quarry', 'notes.md']);
});

test('without a place for the key every command builds an index of its own, and says so', async () => {
  const folder = await newProject();
  const words = ['search', 'harbour', '--set', 'embedder.driver=hashing', '--set', 'cache.max_bytes=0'];
  const homeless = { HOME: '/dev/null', QUARRY_DATA_FOLDER: '/dev/null/quarry' };
  const { child, finished } = startQuarry(folder, words, homeless);
  expect(await finished).toMatchObject({ stdout: expect.stringContaining('The harbour floods') });
  expect(child.exitCode).toBe(0);
  const again = await startQuarry(folder, words, homeless).finished;
  expect(again.stdout).toContain('The harbour floods');
  expect(again.stderr).toContain('was set aside as .quarry/foreign-1');
});

test('without a home in the environment nothing is kept in the project but its index', async () => {
  const folder = await newProject();
  const words = ['search', 'harbour', '--set', 'embedder.driver=hashing', '--set', 'cache.max_bytes=0'];
  for (const HOME of ['', 'relative']) await run(folder, words, { HOME, USERPROFILE: '' });
  expect((await readdir(folder)).sort()).toEqual(['.quarry', 'notes.md']);
});

test.runIf(hasProcesses)('a project in a folder that cannot be written fails with its remedy', async () => {
  const words = ['search', 'harbour', '--project', '/proc/self/fdinfo'];
  const { code, stderr } = await run(await temporaryFolder(), words, {});
  expect(stderr).toContain('The index folder /proc/self/fdinfo/.quarry cannot be made');
  expect(stderr).toContain('Make the project folder writable.');
  expect(code).toBe(6);
});
