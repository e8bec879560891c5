import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import type { Store } from '../../contracts/store.ts';
import { defectsOf } from '../../drivers/stores/damage.fixture.ts';
import { putManifest, setFact } from '../../index/write.ts';
import { resultOf } from '../../platform/streams.ts';
import { openProject } from '../../project/open-project.ts';
import { manifestEntry } from '../../testing/documents.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1 };

async function open(folder: string): Promise<Project> {
  const project = await openProject(folder, { settings });
  onTestFinished(() => project.close());
  return project;
}

/** What several get who ask for the index at the same moment. */
function askAtOnce(project: Project): Promise<Store>[] {
  return Array.from({ length: 5 }, () => project.store());
}

/** Takes longer than finding out where an index stands. */
async function lookAround(folder: string): Promise<void> {
  for (let look = 0; look < 200; look += 1) await stat(folder);
}

describe('a store that brings its own locks and no checks of its own', () => {
  test('needs no lock files, and is checked and repaired by what it answers', async () => {
    const folder = await temporaryFolder({ 'a.md': 'alpha' });
    const project = await openProject(folder, { settings: { ...settings, 'store.driver': 'memory' } });
    onTestFinished(() => project.close());
    for await (const _ of project.index());
    expect((await project.search('alpha')).hits).toHaveLength(1);
    expect((await readdir(join(folder, '.quarry'))).filter((name) => name.endsWith('.lock'))).toEqual([]);
    const store = await project.store();
    await putManifest(store, [manifestEntry('ghost.md')]);
    expect(await defectsOf(project.verify())).toMatchObject([{ kind: 'orphan', uri: 'ghost.md' }]);
    expect(await resultOf(project.repair())).toMatchObject({
      rebuilt: false,
      repaired: [{ uri: 'ghost.md' }],
    });
    expect(await defectsOf(project.verify())).toEqual([]);
  });
});

describe('the tables of existing projects', () => {
  const openWith = async (table: string) => {
    const folder = await temporaryFolder({ 'a.md': 'alpha', 'quarry.toml': `[rag.vector_store]\n${table}` });
    const project = await openProject(folder, { settings });
    onTestFinished(() => project.close());
    return project;
  };
  const index = async (project: Project) => {
    for await (const event of project.index()) if (event.type === 'index-end') return event.summary;
    return undefined;
  };

  test('with "mock" keep nothing, and read no file for it', async () => {
    const project = await openWith('provider = "mock"\n');
    expect(await index(project)).toMatchObject({ documents: { indexed: 0 }, skipped: {} });
    await project.add({ name: 'note', text: 'alpha' });
    expect((await project.search('alpha')).hits).toEqual([]);
    expect((await project.search('alpha', { route: 'exact' })).hits).toEqual([]);
    expect(await project.status()).toMatchObject({ counts: { documents: 0, chunks: 0 } });
  });

  test('with "chroma" and an address send nothing there before the user has agreed', async () => {
    const address = 'http://chroma.example.com:8000';
    const project = await openWith(`provider = "chroma"\nurl = "${address}"\ncollection_name = "notes"\n`);
    const events = [];
    for await (const event of project.index()) events.push(event);
    expect(events.find(({ type }) => type === 'vectors-failed')).toMatchObject({
      pending: 2,
      error: { code: 'consent-missing', remedy: `Run: quarry consent give ${address}` },
    });
    expect((await project.search('alpha')).hits).toHaveLength(1);
  });
});

describe('several who ask for an index at once', () => {
  test('get one and the same, which closes with the project', async () => {
    const project = await open(await temporaryFolder());
    const stores = await Promise.all(askAtOnce(project));
    expect(new Set(stores).size).toBe(1);
    await project.close();
    await expect(stores[0]?.paths()).rejects.toMatchObject({ message: expect.stringContaining('closed') });
  });

  // Windows lets nobody move a folder in which a file is open.
  test.skipIf(process.platform === 'win32')(
    'get one and the same after another process has replaced its folder, and the previous one is closed',
    async () => {
      const folder = await temporaryFolder();
      const project = await open(folder);
      const previous = await project.store();
      await setFact(previous, 'which', 'previous');
      const place = join(folder, '.quarry', 'index-1');
      // Moved and not removed, so that the new folder cannot be given the number of the previous one.
      await rename(place, join(folder, '.quarry', 'away'));
      await mkdir(place);
      const close = previous.close.bind(previous);
      const [isClosing, mayClose] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const closing = vi.spyOn(previous, 'close').mockImplementation(async () => {
        isClosing.resolve();
        await mayClose.promise;
        await close();
      });
      const first = project.store();
      await isClosing.promise;
      const others = askAtOnce(project);
      // They get as far as they can while the previous one is being closed for the first.
      await Promise.race([...others, lookAround(folder)]);
      mayClose.resolve();
      const stores = await Promise.all([first, ...others]);
      expect(new Set(stores).size).toBe(1);
      expect(closing).toHaveBeenCalledTimes(1);
      expect((await stores[0]?.state())?.facts.has('which')).toBe(false);
      await expect(previous.paths()).rejects.toMatchObject({ message: expect.stringContaining('closed') });
    },
  );

  test('all learn that it is damaged, and a caller that asks after the repair gets it', async () => {
    const folder = await temporaryFolder();
    const project = await open(folder);
    const file = join(folder, '.quarry', 'index-1', 'index.sqlite');
    await mkdir(join(folder, '.quarry', 'index-1'), { recursive: true });
    await writeFile(file, 'no index at all '.repeat(1000));
    const outcomes = await Promise.allSettled(askAtOnce(project));
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'store-corrupt' } });
    await rm(file);
    expect(await (await project.store()).paths()).toEqual([]);
  });
});
