import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { callQuarry } from './quarry-call.ts';

let work: string;
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'home-'));
  work = await realpath(await mkdtemp(join(tmpdir(), 'work-')));
  for (const name of ['api', 'web']) {
    await mkdir(join(work, name, 'src'), { recursive: true });
    const code = `/** Where the ${name} keeps its heron. */\nexport function ${name}Heron() {\n  return 'heron';\n}\n`;
    await writeFile(join(work, name, 'src', 'heron.js'), code);
  }
});

const quarry = (place: string, ...words: string[]) =>
  callQuarry(join(work, place), words, {
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    QUARRY_EMBEDDER_DRIVER: 'hashing',
    QUARRY_RESOURCES_THREADS: '1',
  });

test('projects get names, are asked together, and read as they were shown', async () => {
  const none = await quarry('.', 'search', '--all', 'heron');
  expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('quarry projects add FOLDER')]);

  const added = await quarry('.', 'projects', 'add', 'api', 'web');
  expect(added.stdout).toContain(`api  ${join(work, 'api')}`);

  const all = await quarry('api', 'search', '--all', 'where is the heron kept', '--json');
  const { hits } = JSON.parse(all.stdout) as { hits: { project: string; citation: string }[] };
  expect(hits.map(({ citation }) => citation).sort()).toEqual([
    'api:src/heron.js:1-4',
    'web:src/heron.js:1-4',
  ]);

  const one = await quarry('api', 'search', '--projects', './', 'heron', '--brief');
  expect(one.stdout).toContain('api:src/heron.js');
  expect(one.stdout).not.toContain('web:');

  const read = await quarry('api', 'read', 'web:src/heron.js:1-2', 'src/heron.js:2');
  expect(read.stdout).toContain('web:src/heron.js:1-2');
  expect(read.stdout).toContain('export function apiHeron');

  await rm(join(work, 'web'), { recursive: true });
  const left = await quarry('api', 'search', '--projects', 'api,web', 'heron');
  expect([left.code, left.stdout, left.stderr]).toEqual([
    0,
    expect.stringContaining('api:src/heron.js'),
    expect.stringMatching(/web: .*(no folder|does not exist|is not there)/),
  ]);
  expect((await quarry('.', 'projects')).stdout).toContain('not there');

  await quarry('.', 'projects', 'remove', 'web');
  const gone = await quarry('api', 'search', '--projects', 'web', 'heron');
  expect([gone.code, gone.stderr]).toEqual([3, expect.stringContaining('There are: api.')]);
  for (const words of [
    ['--all', '--set', 'search.top_k=3'],
    ['--all', '--project', '.'],
  ])
    expect((await quarry('api', 'search', 'heron', ...words)).code).toBe(2);
});
