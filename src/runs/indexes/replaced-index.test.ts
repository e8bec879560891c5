import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import { openProject } from '../../project/open-project.ts';
import { currentIndex } from '../../state-folder/index-folders.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1, 'cache.max_bytes': 0 };
const files = Object.fromEntries(
  Array.from({ length: 20 }, (_, number) => [
    `${number}.md`,
    `# ${number}\n\nA page about harbour${number}.\n`,
  ]),
);

let folder: string;
let state: string;

beforeEach(async () => {
  folder = await temporaryFolder(files);
  state = join(folder, '.quarry');
});

describe('an index that is damaged as a whole', () => {
  test('is replaced while others add to it and search, and nothing is lost', async () => {
    const [repairing, other] = [await indexed(), await open()];
    await other.add({ name: 'before', text: 'A note without a file.' });
    damage();
    const added = ['virtual:before'];
    let isMended = false;
    const add = async () => {
      while (!isMended) {
        added.push(
          (await other.add({ name: `note${added.length}`, text: `harbour note ${added.length}` })).uri,
        );
        expect((await other.search('harbour7')).hits.length).toBeGreaterThan(0);
      }
    };
    const adding = add();
    expect(await repair(repairing)).toMatchObject({ rebuilt: true, removed: [], lost: [] });
    isMended = true;
    await adding;
    const paths = [...Object.keys(files), ...added].sort();
    for (const project of [repairing, other, await open()])
      expect(await (await project.store()).paths()).toEqual(paths);
    expect((await other.status()).counts).toMatchObject({ documents: paths.length, embedded: paths.length });
    for await (const defect of other.verify()) expect.fail(defect.detail);
    expect(await indexFolders()).toEqual(['index-2']);
  });

  test('loses nothing that is added between the filling and the switch', async () => {
    const [repairing, other] = [await indexed(), await open()];
    // The first one starts a thread, which takes its time.
    await other.add({ name: 'early', text: 'harbour' });
    damage();
    await onceFilled(repairing, () => other.add({ name: 'late', text: 'harbour' }));
    await repair(repairing);
    expect(await (await repairing.store()).paths()).toContain('virtual:late');
  });

  test('answers as it was where its repair is stopped, and no candidate stays', async () => {
    const project = await indexed();
    damage();
    const stop = new AbortController();
    await onceFilled(project, async () => stop.abort());
    await expect(repair(project, stop.signal)).rejects.toMatchObject({ code: 'interrupted' });
    expect(await indexFolders()).toEqual(['index-1']);
    expect((await project.search('harbour7')).hits.length).toBeGreaterThan(0);
  });

  test('answers as it was where its repair was killed, and the next run removes the candidate', async () => {
    const project = await indexed();
    await mkdir(join(state, 'index-2'));
    await writeFile(join(state, 'index-2', 'index.sqlite'), 'half');
    expect((await project.search('harbour7')).hits.length).toBeGreaterThan(0);
    for await (const _ of project.index());
    expect(await indexFolders()).toEqual(['index-1']);
  });

  test('is rebuilt from the files where nothing can be read of it', async () => {
    const project = await open();
    await mkdir(join(state, 'index-1'), { recursive: true });
    await writeFile(join(state, 'index-1', 'index.sqlite'), 'no index at all '.repeat(1000));
    expect(await repair(project)).toMatchObject({ rebuilt: true, repaired: [{ kind: 'structure' }] });
    expect((await project.status()).counts).toMatchObject({ documents: 20, embedded: 20 });
    expect(await currentIndex(state)).toBe('index-2');
    expect(await indexFolders()).toEqual(['index-2']);
  });
});

// Windows lets nobody remove a file that is open.
describe.skipIf(process.platform === 'win32')('an index whose folder is deleted while it is open', () => {
  test('is left for the one that another process has begun', async () => {
    const [project, other] = [await indexed(), await open()];
    await rm(state, { recursive: true });
    await other.add({ name: 'note', text: 'harbour' });
    expect(await (await project.store()).paths()).toEqual(['virtual:note']);
    await project.add({ name: 'second', text: 'harbour' });
    expect(await (await other.store()).paths()).toEqual(['virtual:note', 'virtual:second']);
  });

  test('loses nothing that is added at that moment', async () => {
    const project = await indexed();
    const store = await project.store();
    const commit = store.commit.bind(store);
    vi.spyOn(store, 'commit').mockImplementation(async (changes) => {
      await rm(state, { recursive: true });
      return commit(changes);
    });
    await project.add({ name: 'note', text: 'harbour' });
    expect(await (await (await open()).store()).paths()).toEqual(['virtual:note']);
  });
});

async function open(): Promise<Project> {
  const project = await openProject(folder, { settings });
  onTestFinished(() => project.close());
  return project;
}

async function indexed(): Promise<Project> {
  const project = await open();
  for await (const _ of project.index());
  return project;
}

async function repair(project: Project, signal?: AbortSignal) {
  const work = project.repair(signal ? { signal } : {});
  for (;;) {
    const { done, value } = await work.next();
    if (done) return value;
  }
}

/** Does something when the index that is to answer has its texts, and is given the vectors of the one that answers. */
async function onceFilled(project: Project, work: () => Promise<unknown>): Promise<void> {
  const store = await project.store();
  const vectorsOf = store.vectorsOf.bind(store);
  vi.spyOn(store, 'vectorsOf').mockImplementationOnce(async (...given) => {
    await work();
    return vectorsOf(...given);
  });
}

/** Takes an index out of the file behind everyone's back. */
function damage(): void {
  const database = new DatabaseSync(join(state, 'index-1', 'index.sqlite'));
  database.exec('DROP INDEX chunks_by_id');
  database.close();
}

async function indexFolders(): Promise<string[]> {
  return (await readdir(state)).filter((name) => name.startsWith('index-'));
}
