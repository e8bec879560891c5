import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { followWatch } from './follow-watch.fixture.ts';
import { openProject } from './open-project.ts';

const settings = {
  'embedder.driver': 'hashing',
  'resources.threads': 1,
  'store.driver': 'lancedb',
  'store.url': 'data/vectors',
  'watch.interval_seconds': 0,
};

async function project(files: Readonly<Record<string, string>>, more = {}) {
  const folder = await temporaryFolder(files);
  const opened = await openProject(folder, { settings: { ...settings, ...more } });
  onTestFinished(() => opened.close());
  return { folder, opened };
}

describe('an index in a folder below the project', () => {
  test('is no source: neither a run nor a watch takes it in, whatever lies there', async () => {
    const { opened } = await project({
      'a.md': 'The heron waits.',
      'data/b.md': 'The otter swims.',
      'data/vectors/notes.md': 'Beside the tables.',
    });
    const watch = followWatch(opened);
    onTestFinished(() => watch.stop());
    await watch.next('pass-end');
    // Each run writes into the store; a full one looks at everything once more.
    for await (const event of opened.index({ full: true }))
      if (event.type === 'path-skipped' && event.skipped.uri.startsWith('data/vectors'))
        expect(event.skipped).toMatchObject({ uri: 'data/vectors/', rule: "the project's own index" });
    expect([...(await (await opened.store()).paths())].sort()).toEqual(['a.md', 'data/b.md']);
  });

  test('of previous settings is no source either', async () => {
    const { folder, opened } = await project({ 'a.md': 'The heron waits.' });
    for await (const _ of opened.index());
    const later = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
    onTestFinished(() => later.close());
    for await (const _ of later.index());
    expect(await (await later.store()).paths()).toEqual(['a.md']);
  });

  test.skipIf(process.platform === 'win32')(
    'is not looked for behind a link, nor are its tables',
    async () => {
      const outside = await temporaryFolder({ 'thesis.txt': 'years of work' });
      const toml = '[store]\ndriver = "lancedb"\nurl = "vectors"\n[embedder]\ndriver = "hashing"\n';
      const linked = await temporaryFolder({ 'a.md': 'text', 'quarry.toml': toml });
      await symlink(outside, join(linked, 'vectors'));
      await expect(openProject(linked)).rejects.toMatchObject({ code: 'path-outside-root' });
      const { folder, opened } = await project({ 'a.md': 'text', 'data/vectors/x': '' });
      await symlink(outside, join(folder, 'data', 'vectors', 'quarry--index-1.lance'));
      const run = async () => {
        for await (const _ of opened.index());
      };
      await expect(run()).rejects.toMatchObject({ code: 'path-unsafe' });
      expect(await readdir(outside)).toEqual(['thesis.txt']);
    },
  );
});
