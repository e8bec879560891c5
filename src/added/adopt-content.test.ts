import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import type { IndexEvent } from '../core/events.ts';
import { sha256 } from '../core/identity.ts';
import { openProject } from '../project/open-project.ts';
import { prepareReceived } from '../streaming/received-database.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1, 'cache.max_bytes': 0 };
const note = { name: 'talk.md', text: 'Granite is cut with wire saws.' };

let cloned: string;
beforeEach(async () => {
  // Somebody else adds content, and commits it.
  const theirs = await temporaryFolder({ 'a.md': 'Slate splits.' });
  const project = await open(theirs, await temporaryFolder({}));
  await project.add(note);
  await project.close();
  cloned = await temporaryFolder({ 'a.md': 'Slate splits.' });
  await cp(join(theirs, '.quarry-added'), join(cloned, '.quarry-added'), { recursive: true });
});

test('added content that came with a folder is not used, and listed with the reason and the remedy', async () => {
  const project = await open(cloned, await temporaryFolder({}));
  const { hits, warnings } = await project.search('wire saws');
  expect(hits.map(({ document }) => document.uri)).not.toContain('virtual:talk.md');
  expect(warnings).toMatchObject([
    { code: 'trust-missing', remedy: expect.stringContaining('quarry trust') },
  ]);
  const { skipped: all } = await project.status();
  const skipped = all.filter(({ detail }) => detail === 'not added by you');
  expect(skipped).toMatchObject([
    { uri: expect.stringMatching(/^\.quarry-added\//), detail: 'not added by you' },
  ]);
  const defects: unknown[] = [];
  for await (const defect of project.verify()) defects.push(defect);
  expect(defects).toMatchObject([
    { kind: 'content', detail: expect.stringContaining('added by somebody else') },
  ]);
});

test('thousands of such files are one warning', async () => {
  const [name = ''] = await keptNames(cloned);
  const bytes = await readFile(join(cloned, '.quarry-added', name), 'utf8');
  const rest = bytes.slice(bytes.indexOf('\n') + 1);
  for (let number = 0; number < 300; number += 1) {
    const text = rest.replace('virtual:talk.md', `virtual:talk${number}.md`);
    const path = join(cloned, '.quarry-added', `${sha256(`virtual:talk${number}.md`).slice(0, 32)}.txt`);
    await writeFile(path, `quarry added content 1, sha256 ${sha256(text)}\n${text}`);
  }
  const project = await open(cloned, await temporaryFolder({}));
  const events: IndexEvent[] = [];
  for await (const event of project.index()) events.push(event);
  const warned = events.filter(({ type }) => type === 'root-failed');
  expect(warned).toMatchObject([{ error: { message: expect.stringContaining('and 300 more') } }]);
});

test('once the user has adopted it, it is found, and stays so', async () => {
  const home = await temporaryFolder({});
  const project = await open(cloned, home);
  expect(await project.adopt()).toEqual(['virtual:talk.md']);
  expect(await project.adopt()).toEqual([]);
  const { hits, warnings } = await project.search('wire saws');
  expect(hits[0]?.document.uri).toBe('virtual:talk.md');
  expect(warnings).toEqual([]);
  await project.close();
  const again = await open(cloned, home);
  expect((await again.search('wire saws')).hits[0]?.document.uri).toBe('virtual:talk.md');
});

test('a file that is replaced by one of somebody else leaves what the user added', async () => {
  const home = await temporaryFolder({});
  const project = await open(cloned, home);
  await project.adopt();
  await project.search('wire saws');
  const [name = ''] = await keptNames(cloned);
  const path = join(cloned, '.quarry-added', name);
  const bytes = await readFile(path, 'utf8');
  const rest = bytes.slice(bytes.indexOf('\n') + 1).replace('wire saws', 'forged saws');
  const proof = /, proof \w+/.exec(bytes)?.[0];
  await writeFile(path, `quarry added content 2, sha256 ${sha256(rest)}${proof}\n${rest}`);
  const { hits, warnings } = await project.search('granite cut with saws');
  expect(hits[0]?.chunk.text).toBe('Granite is cut with wire saws.');
  expect(warnings).toMatchObject([{ code: 'trust-missing' }]);
});

async function open(folder: string, home: string): Promise<Project> {
  const environment = (name: string) =>
    ['HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'QUARRY_CACHE_FOLDER'].includes(name) ? home : undefined;
  const project = await openProject(folder, { settings, environment });
  onTestFinished(() => project.close());
  return project;
}

async function keptNames(folder: string): Promise<string[]> {
  return (await readdir(join(folder, '.quarry-added'))).filter((name) => name.endsWith('.txt'));
}

test('content that came with a folder as if clients had sent it is not used', async () => {
  const folder = await temporaryFolder({ 'a.md': 'Slate splits.' });
  await prepareReceived(folder);
  const project = await open(folder, await temporaryFolder({}));
  const { hits } = await project.search('slate');
  expect(hits.map(({ document }) => document.uri)).toEqual(['a.md']);
});
