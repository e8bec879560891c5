import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { openProject } from '../index.ts';

let project: Project;
beforeAll(async () => {
  const folder = await temporaryFolder({
    'vault/Rigging.md':
      '---\naliases: [Ropes and knots]\ntags: [boat/rope]\nstatus: open\n---\nHow a shroud is tied. See [[Masts]] and [[Nowhere]].\n',
    'vault/Masts.md':
      '---\nstatus: done\nauthor: Ada Lovelace\n---\n#boat The mast of spruce. Back to [[rigging|the ropes]].\n',
    'vault/archive/Masts.md': '# Masts\nAn older mast.\n',
    'docs/index.md': '# Start\nRead [about ropes](../vault/Rigging.md#knots).\n',
    'pages/Boat___Sail.md': 'alias:: Canvas\n\n- A sail hangs on the [[Masts]].\n',
    'pages/Todo.md': '- [[Boat/Sail]] needs a patch.\n',
  });
  project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
});
afterAll(() => project.close());

const urisOf = async (query: string, filter: object) => [
  ...new Set((await project.search(query, { filter })).hits.map(({ document }) => document.uri)),
];

test('front matter narrows a search down by tag, field and author', async () => {
  expect((await urisOf('mast shroud', { tags: ['boat'] })).sort()).toEqual([
    'vault/Masts.md',
    'vault/Rigging.md',
  ]);
  expect(await urisOf('mast shroud', { fields: ['status=Open'] })).toEqual(['vault/Rigging.md']);
  expect(await urisOf('mast shroud', { authors: ['lovelace'] })).toEqual(['vault/Masts.md']);
});

test('a tag or field that nothing has is an error that lists those that there are', async () => {
  const failing = (filter: object) => project.search('mast', { filter });
  await expect(failing({ tags: ['boot'] })).rejects.toMatchObject({
    message: expect.stringContaining('the tag "boot"'),
    remedy: 'Did you mean boat? There are: boat, boat/rope.',
  });
  await expect(failing({ fields: ['state=open'] })).rejects.toThrow(/the field "state"/);
});

test('related lists what a note links to and what links to it, by path, title or alias', async () => {
  const ropes = {
    links: ['vault/Masts.md'],
    missingLinks: ['Nowhere'],
    linkedBy: ['docs/index.md', 'vault/Masts.md'],
  };
  expect(await project.graph.related('vault/Rigging.md')).toMatchObject(ropes);
  expect(await project.graph.related('ropes and knots')).toMatchObject(ropes);
  expect((await project.graph.related('Canvas')).linkedBy).toEqual(['pages/Todo.md']);
  // Of two notes with the name, one in another folder does not take the links of the other.
  expect((await project.graph.related('vault/archive/Masts.md')).linkedBy).toEqual([]);
  await expect(project.graph.related('no such note')).rejects.toMatchObject({ code: 'document-not-found' });
});

test('an alias is read and ranked as a title is', async () => {
  expect((await project.read({ place: 'Ropes and knots' })).uri).toBe('vault/Rigging.md');
  const { hits } = await project.search('Canvas');
  expect(hits[0]?.document.uri).toBe('pages/Boat___Sail.md');
});
