import { readdir, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../../test/temporary-folder.ts';
import { QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { openProject } from '../project/open-project.ts';
import {
  currentIndex,
  nextIndex,
  removeIndexes,
  removeLeftovers,
  removeOwnState,
  switchIndex,
} from './index-folders.ts';
import { removeSetAside, setAside } from './set-aside.ts';

const leftovers = {
  'current.4711.tmp': 'index-2\n',
  'index.sqlite': 'An index of the layout that knew but one.',
  'index.sqlite-shm': '',
  'index.sqlite-wal': '',
  'locks-0f0e.tmp': '',
  'locks-0f0e.tmp-journal': '',
};

/** As if the leftovers had been there for an hour. */
async function makeOld(folder: string): Promise<void> {
  const longAgo = new Date(Date.now() - 3_600_000);
  for (const name of Object.keys(leftovers)) await utimes(join(folder, name), longAgo, longAgo);
}

test('removes what a killed process and a previous layout left, and nothing else', async () => {
  const kept = ['.gitignore', 'current', 'index-1', 'writer.lock', 'index.sqlite.txt', 'current.tmp'];
  const folder = await temporaryFolder({
    ...leftovers,
    ...Object.fromEntries(
      kept.map((name) => [name === 'index-1' ? 'index-1/index.sqlite' : name, 'index-1']),
    ),
  });
  // One that a process has made just now is its own business.
  await writeFiles(folder, { 'locks-1a1b.tmp': '' });
  kept.push('locks-1a1b.tmp');
  await makeOld(folder);
  expect(await removeLeftovers(folder)).toEqual(Object.keys(leftovers));
  expect((await readdir(folder)).sort()).toEqual(kept.sort());
  expect(await currentIndex(folder)).toBe('index-1');
});

// Another user who may write the folder around it puts the link there after the folder was looked at.
test.skipIf(process.platform === 'win32')(
  'nothing is removed or renamed behind a link that has taken the name of the state folder',
  async () => {
    const files = { 'reports/a.ndjson': '', 'index-1/a.md': '', 'foreign-1/a.md': '', 'index.sqlite': '' };
    const outside = await temporaryFolder(files);
    const state = join(await temporaryFolder(), '.quarry');
    await symlink(outside, state);
    const unsafe = { code: 'path-unsafe' };
    await expect(removeOwnState(state, () => false)).rejects.toMatchObject(unsafe);
    await expect(removeSetAside(state, ['foreign-1'])).rejects.toMatchObject(unsafe);
    await expect(removeIndexes(state, ['index-1'])).rejects.toMatchObject(unsafe);
    await expect(removeLeftovers(state)).rejects.toMatchObject(unsafe);
    const found = new QuarryError('store-foreign', 'It is not yours.', 'Look at it.');
    await expect(setAside(state, join(state, 'index-1'), found)).rejects.toMatchObject(unsafe);
    expect(await readdir(outside, { recursive: true })).toEqual(expect.arrayContaining(Object.keys(files)));
  },
);

test('switching leaves the pointer and no other file', async () => {
  const folder = await temporaryFolder({ 'index-2/index.sqlite': '' });
  await switchIndex(folder, 'index-2');
  expect(await currentIndex(folder)).toBe('index-2');
  expect((await readdir(folder)).sort()).toEqual(['current', 'index-2']);
});

test.each(['999999999', '9007199254740992', '99999999999999999999999'])(
  'a folder that came as index-%s leaves a name for the next index, which then answers',
  async (number) => {
    const folder = await temporaryFolder({ [`index-${number}/index.sqlite`]: '' });
    const next = await nextIndex(folder);
    await writeFiles(folder, { [`${next}/index.sqlite`]: '' });
    await switchIndex(folder, next);
    expect(await currentIndex(folder)).toBe(next);
  },
);

test('a run removes leftovers once its text is whole and tells which, and cleaning lists them', async () => {
  const old = Object.entries(leftovers).map(([name, text]) => [`.quarry/${name}`, text]);
  const folder = await temporaryFolder({ 'a.md': 'Something to find.', ...Object.fromEntries(old) });
  await makeOld(join(folder, '.quarry'));
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  try {
    const events: IndexEvent[] = [];
    for await (const event of project.index()) events.push(event);
    const emitted = events.find(({ type }) => type === 'leftovers-removed');
    expect(emitted).toEqual({ type: 'leftovers-removed', names: Object.keys(leftovers) });
    expect(await readdir(join(folder, '.quarry'))).not.toContain('index.sqlite');
    await writeFiles(join(folder, '.quarry'), leftovers);
    await makeOld(join(folder, '.quarry'));
    expect((await project.clean()).removed).toEqual(Object.keys(leftovers));
    expect((await project.search('something to find')).hits).toHaveLength(1);
  } finally {
    await project.close();
  }
});

test('a state folder that cannot be listed does not pass for an empty one', async () => {
  const endless = join(await temporaryFolder({}), 'endless');
  await symlink(endless, endless);
  await expect(nextIndex(endless)).rejects.toMatchObject({ code: 'store-unusable' });
  expect(await nextIndex(join(await temporaryFolder({}), 'absent'))).toBe('index-2');
});
