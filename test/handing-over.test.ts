import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callQuarry } from './quarry-call.ts';

async function person(name: string) {
  const home = await mkdtemp(join(tmpdir(), `${name}-`));
  const folder = join(home, 'project');
  await mkdir(folder);
  await writeFile(join(folder, 'heron.md'), '# Heron\n\nThe heron waits at the pond.\n');
  const quarry = (...words: string[]) =>
    callQuarry(folder, words, {
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      USERPROFILE: home,
      QUARRY_DATA_FOLDER: join(home, 'data'),
      QUARRY_EMBEDDER_DRIVER: 'hashing',
      QUARRY_RESOURCES_THREADS: '1',
    });
  return { folder, quarry };
}

test('an index of one user is taken over by another who has the files and trusts its maker', async () => {
  const [ada, ben] = [await person('ada'), await person('ben')];
  const file = join(ada.folder, '..', 'heron.quarry');
  const nothing = await ada.quarry('export', file);
  expect([nothing.code, nothing.stderr]).toEqual([6, expect.stringContaining('quarry index')]);
  await ada.quarry('index');
  const { maker } = JSON.parse((await ada.quarry('export', file, '--json')).stdout) as { maker: string };

  const refused = await ben.quarry('import', file);
  expect([refused.code, refused.stderr]).toEqual([
    7,
    expect.stringContaining(`quarry trust give --maker ${maker}`),
  ]);
  expect((await ben.quarry('trust', 'give', '--maker', 'short')).code).toBe(2);
  expect((await ben.quarry('trust', 'give', '--maker', maker)).stdout).toContain(maker);
  const taken = await ben.quarry('import', file, '--json');
  expect(JSON.parse(taken.stdout)).toMatchObject({ maker, taken: 1, changed: 0, absent: 0, read: 0 });
  expect((await ben.quarry('search', 'where does the heron wait')).stdout).toContain('heron.md:1-3');
  await ben.quarry('trust', 'withdraw', '--maker', maker);
  expect((await ben.quarry('import', file)).code).toBe(7);
  // One's own is known.
  expect((await ada.quarry('import', file, '--json')).code).toBe(0);
});
