import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import { resultOf } from '../../platform/streams.ts';
import { type FollowedWatch, followWatch } from '../../project/follow-watch.fixture.ts';
import { openProject } from '../../project/open-project.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1, 'watch.interval_seconds': 0 };
const text = (about: string) => `# ${about}\n\nThis page explains ${about} in a few words.\n`;

async function watched(
  files: Record<string, string> = { 'a.md': text('apples'), 'docs/b.md': text('berries') },
) {
  const folder = await temporaryFolder(files);
  const project = await openProject(folder, { settings });
  onTestFinished(() => project.close());
  const watch = followWatch(project, { expectsFailures: true });
  onTestFinished(() => watch.stop().catch(() => undefined));
  await watch.next('pass-end');
  return { folder, project, watch };
}

/** Brings the index up to date as a search does; returns whether it scanned for that. */
async function freshen(project: Project) {
  let scanned = false;
  const { summary } = await resultOf(project.freshen(), (event) => {
    if (event.type === 'scan-start') scanned = true;
  });
  return { scanned, summary };
}

/** What a search finds; where it says that the watch was writing at that moment, what the next one finds. */
async function found(project: Project, query: string) {
  for (;;) {
    const { hits, warnings } = await project.search(query, { route: 'text' });
    if (!warnings.some(({ code }) => code === 'store-busy')) return hits;
  }
}

/** Scans until there is nothing left to scan for. */
async function rest(project: Project, watch?: FollowedWatch): Promise<void> {
  while ((await freshen(project)).scanned) await watch?.next('pass-end').catch(() => undefined);
}

describe.runIf(process.platform === 'linux')('a search of a project that is watched', () => {
  test('scans once, and then not again while nothing changes; its summary says the same', async () => {
    const { project } = await watched();
    const first = await freshen(project);
    const second = await freshen(project);
    expect([first.scanned, second.scanned]).toEqual([true, false]);
    const { seconds: _, ...said } = first.summary ?? {};
    expect(second.summary).toMatchObject(said);
    expect((await project.search('berries')).hits[0]?.document.uri).toBe('docs/b.md');
    expect((await freshen(project)).scanned).toBe(false);
  });

  test('finds each file that was written, moved or removed right before it', async () => {
    const { folder, project } = await watched();
    for (let round = 0; round < 10; round += 1) {
      await rest(project);
      const about = `topic${round}`;
      await writeFile(join(folder, 'docs/b.md'), text(about));
      expect((await found(project, about))[0]?.chunk.text).toContain(about);
    }
    await rest(project);
    await rename(join(folder, 'a.md'), join(folder, 'c.md'));
    expect((await found(project, 'apples'))[0]?.document.uri).toBe('c.md');
    await rest(project);
    await rm(join(folder, 'c.md'));
    expect(await found(project, 'apples')).toEqual([]);
  });

  test('finds files of a folder that is too new to be watched', async () => {
    const { folder, project } = await watched();
    await rest(project);
    await mkdir(join(folder, 'new/inner'), { recursive: true });
    for (const name of ['one', 'two', 'three']) {
      await writeFile(join(folder, `new/inner/${name}.md`), text(name));
      expect((await found(project, name))[0]?.document.uri).toBe(`new/inner/${name}.md`);
    }
  });

  test('heeds rules that no folder of the project holds', async () => {
    const { folder, project, watch } = await watched({
      '.git/HEAD': 'ref: refs/heads/main\n',
      'a.md': text('apples'),
    });
    await rest(project);
    await mkdir(join(folder, '.git/info'));
    await writeFile(join(folder, '.git/info/exclude'), 'a.md\n');
    expect(await found(project, 'apples')).toEqual([]);
    await watch.next('pass-end');
  });

  test('scans after anybody has written the index, removed it, or added content', async () => {
    const { folder, project } = await watched();
    await rest(project);
    await project.remove('a.md');
    expect((await found(project, 'apples'))[0]?.document.uri).toBe('a.md');
    await rest(project);
    const other = await openProject(folder, { settings });
    await other.add({ name: 'note.md', text: 'Cherries.' });
    expect((await freshen(project)).scanned).toBe(true);
    await rest(project);
    await other.clean({ all: true });
    await other.close();
    expect((await found(project, 'berries'))[0]?.document.uri).toBe('docs/b.md');
  });

  test('scans where the watch has ended, or where settings are others by now', async () => {
    const { folder, project, watch } = await watched();
    await rest(project);
    await writeFile(join(folder, 'quarry.toml'), '[index]\nexclude = ["a.md"]\n');
    expect(await found(project, 'apples')).toEqual([]);
    await watch.next('settings-changed');
    await watch.next('pass-end');
    expect((await freshen(project)).scanned).toBe(true);
    expect((await freshen(project)).scanned).toBe(true);
    await rm(join(folder, 'quarry.toml'));
    await watch.next('pass-end');
    await rest(project);
    await watch.stop();
    expect((await freshen(project)).scanned).toBe(true);
    expect((await freshen(project)).scanned).toBe(true);
  });

  test('scans while a pass has failed', async () => {
    const { folder, project, watch } = await watched();
    await rest(project);
    const away = `${folder}-away`;
    await rename(folder, away);
    onTestFinished(() => rm(away, { recursive: true, force: true }));
    await watch.next('pass-failed');
    await rename(away, folder);
    await writeFile(join(folder, 'docs/late.md'), text('late'));
    expect((await found(project, 'late'))[0]?.document.uri).toBe('docs/late.md');
  });
});
