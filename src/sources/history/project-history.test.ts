import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import type { IndexEvent } from '../../core/events.ts';
import {
  environmentOf,
  gitIn,
  scratchRepository,
} from '../../drivers/sources/history/scratch-repository.fixture.ts';
import { openProject } from '../../project/open-project.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1, 'cache.max_bytes': 0 };

async function opened(folder: string, variables: Readonly<Record<string, string>> = {}): Promise<Project> {
  const home = await temporaryFolder();
  return openProject(folder, {
    settings,
    environment: environmentOf({ HOME: home, XDG_CONFIG_HOME: join(home, 'config'), ...variables }),
  });
}

async function eventsOf(project: Project): Promise<IndexEvent[]> {
  const events: IndexEvent[] = [];
  for await (const event of project.index()) events.push(event);
  return events;
}

async function run(project: Project): Promise<string[]> {
  const events = await eventsOf(project);
  return events.flatMap((event) =>
    event.type === 'document-indexed' || event.type === 'document-deleted' ? [event.uri] : [],
  );
}

const key = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'MIIEowIBAAKCAQEAx8Q1v3nK0dQm7c2ZVt9yEw4bLkPq',
  'hJ3sT6uXo1aWf8rNzYgB5eKdMiCvU2pR7tQwLxS9jHnF',
  '-----END RSA PRIVATE KEY-----',
];

test('commits are found once the user has allowed it, and forgotten when that is taken back', async () => {
  const repository = scratchRepository();
  repository.commit('Tides are computed by the hour', {
    'tides.ts': 'export function tides() {\n  return 24;\n}\n',
  });
  const hash = repository.commit('Harbour fees are rounded down\n\nThe mayor asked for it after the storm.', {
    'fees.ts': 'export function harbourFees(days: number) {\n  return Math.floor(days * 3);\n}\n',
    'key.txt': `password = "${'hunter'}2-Xq9vT4mZ"\n${key.join('\n')}\n`,
  });
  repository.commit('The key is gone', { 'key.txt': undefined });
  const project = await opened(repository.folder);
  try {
    expect(await project.history.isAllowed()).toBe(false);
    expect((await run(project)).filter((uri) => uri.startsWith('commit:'))).toEqual([]);

    await project.history.allow(true);
    const uri = `commit:${hash.slice(0, 12)}`;
    expect(await run(project)).toContain(uri);
    // Nothing is read again, and a new commit is read alone.
    expect(await run(project)).toEqual([]);
    const next = repository.commit('Fees go up\n\nThe quay must be mended.', {
      'fees.ts': 'export const price = 4;\n',
    });
    expect((await run(project)).sort()).toEqual([`commit:${next.slice(0, 12)}`, 'fees.ts']);

    const why = await project.search('why were harbour fees rounded down?');
    expect(why.hits[0]?.document).toMatchObject({
      uri,
      type: 'commit',
      title: 'Harbour fees are rounded down',
    });
    // What was once written does not stand before what is, unless it is asked for.
    const plain = await project.search('harbour fees rounded down');
    expect(plain.hits.map(({ document }) => document.type)).not.toContain('commit');
    const typesBy = async (filter: object) =>
      (await project.search('fees', { filter })).hits.map(({ document }) => document.type);
    expect(await typesBy({ types: ['commit'] })).toContain('commit');
    expect(await typesBy({ authors: ['lovelace'] })).toContain('commit');
    expect(await typesBy({ authors: ['babbage'] })).toEqual([]);
    expect(await typesBy({ types: ['commit'], since: 1_800_000_000_000 })).toEqual([]);

    for (const place of [uri, `commit:${hash}`, `commit ${hash.slice(0, 7)}`, `commit:${hash.slice(0, 5)}`]) {
      const { uri: found, text } = await project.read({ place });
      expect(found).toBe(uri);
      expect(text).toContain('The mayor asked for it after the storm.');
      expect(text).toContain('+  return Math.floor(days * 3);');
      // Secrets are blacked out between the signs of a change, too.
      expect(text).not.toMatch(/hunter|MIIEow|hJ3sT6/);
    }
    const all = await project.search('private key password', { filter: { types: ['commit'] }, topK: 50 });
    expect(all.hits.map(({ chunk }) => chunk.text).join('\n')).not.toMatch(/hunter|MIIEow|hJ3sT6/);

    await project.history.allow(false);
    expect(await run(project)).toHaveLength(4);
    await expect(project.read({ place: uri })).rejects.toMatchObject({ code: 'document-not-found' });
  } finally {
    await project.close();
  }
});

test('a folder that asks for it in its own settings has to be trusted', async () => {
  const repository = scratchRepository();
  repository.commit('First', { 'a.md': 'x\n', 'quarry.toml': '[history]\ncommits = 5\n' });
  const project = await opened(repository.folder);
  expect(project.untrusted).toEqual(['history.commits = 5']);
  expect(await project.history.isAllowed()).toBe(false);
  await project.close();
  const own = await opened(repository.folder, { QUARRY_HISTORY_COMMITS: '1' });
  expect(await own.history.isAllowed()).toBe(true);
  expect((await run(own)).filter((uri) => uri.startsWith('commit:'))).toHaveLength(1);
  await own.close();
});

test('it cannot be allowed where there is nothing to read, and a git that goes missing costs nothing', async () => {
  const bare = await opened(await temporaryFolder());
  await expect(bare.history.allow(true)).rejects.toMatchObject({ code: 'usage-invalid' });
  await bare.close();
  const repository = scratchRepository();
  repository.commit('First', { 'a.md': 'x\n' });
  let path = process.env.PATH;
  const home = await temporaryFolder();
  const rest = environmentOf({ HOME: home, XDG_CONFIG_HOME: join(home, 'config') });
  const environment = (name: string) => (name === 'PATH' ? path : rest(name));
  const project = await openProject(repository.folder, { settings, environment });
  await project.history.allow(true);
  expect(await run(project)).toHaveLength(2);
  path = home;
  writeFileSync(join(repository.folder, 'b.md'), 'y\n');
  gitIn(repository.folder, ['commit', '-q', '--allow-empty', '-m', 'Second']);
  const events = await eventsOf(project);
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'root-failed',
      error: expect.objectContaining({ code: 'file-unreadable' }),
    }),
  );
  expect((await project.status({ compare: false })).types).toEqual({ doc: 2, commit: 1 });
  await project.close();
});

test('the commits that wrote a line are listed, also where the file has changed since', async () => {
  const repository = scratchRepository();
  const first = repository.commit('Boats are counted', {
    'boats.ts': 'export const boats = 3;\nexport const oars = 6;\n',
  });
  const second = repository.commit('Oars are doubled\n\nEach boat has four now.', {
    'boats.ts': 'export const boats = 3;\nexport const oars = 12;\n',
  });
  const project = await opened(repository.folder);
  try {
    await expect(project.history.lastCommits('boats.ts')).rejects.toMatchObject({ code: 'trust-missing' });
    await project.history.allow(true);
    writeFileSync(
      join(repository.folder, 'boats.ts'),
      '// new\nexport const boats = 3;\nexport const oars = 12;\nexport const sails = 1;\n',
    );
    const named = (hash: string) => `commit:${hash.slice(0, 12)}`;
    const all = await project.history.lastCommits('boats.ts');
    expect(all.commits.map(({ uri, subject }) => [uri, subject])).toEqual([
      [named(second), 'Oars are doubled'],
      [named(first), 'Boats are counted'],
    ]);
    expect(await project.history.lastCommits('boats.ts', { lines: [1, 4] })).toMatchObject({
      commits: [
        { uri: named(second), lines: [3], author: 'Ada Lovelace', committedAt: 1_700_007_200_000 },
        { uri: named(first), lines: [2] },
      ],
      uncommitted: [1, 4],
    });
    writeFileSync(join(repository.folder, 'new.ts'), 'x\n');
    expect(await project.history.lastCommits('new.ts', { lines: [1, 1] })).toEqual({
      commits: [],
      uncommitted: [1],
    });
    await expect(project.history.lastCommits('../outside')).rejects.toMatchObject({
      code: 'path-outside-root',
    });
  } finally {
    await project.close();
  }
});
