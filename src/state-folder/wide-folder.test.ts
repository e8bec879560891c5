import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../../test/temporary-folder.ts';
import { createEngine } from '../engine/engine.ts';
import { openProject } from '../project/open-project.ts';
import { unmeantFolder } from './wide-folder.ts';

const homeAt = (folder: string) => (name: string) => (name === 'HOME' ? folder : undefined);
const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1 };

const isWideUnasked = (folder: string, environment: (name: string) => string | undefined) =>
  unmeantFolder(folder, environment) !== undefined;

/** A home with a text in it. */
function aHome(): Promise<string> {
  return temporaryFolder({ '.bashrc': '', 'Documents/harbour.md': 'The harbour master has the key.' });
}

test('a disk, a home and what is above a home are wide; a project, and a home that is one, are not', async () => {
  const home = await aHome();
  const environment = homeAt(home);
  expect(isWideUnasked(parse(home).root, environment)).toBe(true);
  expect(isWideUnasked(home, environment)).toBe(true);
  expect(isWideUnasked(join(home, 'Documents'), environment)).toBe(false);
  for (const mark of ['quarry.toml', '.quarry/current', '.git/HEAD']) {
    const marked = await aHome();
    await writeFiles(marked, { [mark]: '' });
    expect(isWideUnasked(marked, homeAt(marked))).toBe(false);
  }
  // A project that a container or a test has as its home.
  const project = await temporaryFolder({ 'src/a.ts': '' });
  expect(isWideUnasked(project, homeAt(project))).toBe(false);
});

test('a question in a home folder indexes nothing; once all of it was asked for, it is answered', async () => {
  const home = await aHome();
  const project = await openProject(home, { environment: homeAt(home), settings });
  const refused = expect.objectContaining({
    code: 'usage-invalid',
    message: expect.stringContaining(home),
    remedy: expect.stringContaining('`quarry index`'),
  });
  await expect(project.search('harbour')).rejects.toEqual(refused);
  await expect(project.read({ path: 'Documents/harbour.md' })).rejects.toEqual(refused);
  // Nor is it walked, to count what an index would hold.
  expect(await project.status()).toMatchObject({ empty: true, incomparable: refused });
  // Nor is something added, which would make it a project whose other files the next question indexes.
  await expect(project.add({ name: 'note', text: 'A note on tides.' })).rejects.toEqual(refused);
  expect((await readdir(home)).filter((name) => name.startsWith('.quarry'))).toEqual([]);
  for await (const _ of project.index());
  const { hits } = await project.search('harbour');
  expect(hits[0]?.document.uri).toBe('Documents/harbour.md');
  await project.close();
});

test('an engine that is asked for a home folder watches it from its first question on once it was indexed', async () => {
  const home = await aHome();
  const meant = await temporaryFolder({ 'a.md': '# A\n', 'quarry.toml': '[embedder]\ndriver = "hashing"\n' });
  const engine = createEngine({ environment: homeAt(home) });
  await engine.open(home);
  // What is watched is read at once: the one that was opened later, too.
  await engine.open(meant);
  await expect.poll(() => existsSync(join(meant, '.quarry', 'index-1'))).toBe(true);
  expect(existsSync(join(home, '.quarry'))).toBe(false);
  const project = await openProject(home, { environment: homeAt(home), settings });
  for await (const _ of project.index());
  await engine.open(home);
  await writeFiles(home, { 'Documents/pier.md': 'The pier is closed.' });
  await expect.poll(async () => (await project.store()).paths()).toContain('Documents/pier.md');
  await project.close();
  await engine.close();
});
