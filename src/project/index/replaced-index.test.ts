import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { assert, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { RepairOptions, StoreRepair } from '../../contracts/store.ts';
import { openProject } from '../open-project.ts';
import type { Project } from '../project.ts';
import { currentIndex } from './index-folders.ts';

const settings = { 'embedder.driver': 'hashing', 'index.threads': 1, 'cache.max_bytes': 0 };
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
    expect(await repair(repairing)).toMatchObject({ rebuilt: false, removed: [] });
    isMended = true;
    await adding;
    const paths = [...Object.keys(files), ...added].sort();
    for (const project of [repairing, other, await open()])
      expect(await (await project.store()).paths()).toEqual(paths);
    expect((await other.status()).counts).toMatchObject({ documents: paths.length, embedded: paths.length });
    for await (const defect of other.verify()) expect.fail(defect.detail);
    expect(await indexFolders()).toEqual(['index-2']);
  });

  test('loses nothing that is added between the copying and the switch', async () => {
    const [repairing, other] = [await indexed(), await open()];
    // The first one starts a thread, which takes its time.
    await other.add({ name: 'early', text: 'harbour' });
    damage();
    let adding: Promise<unknown> | undefined;
    await whileRepairing(repairing, async (repairAs) => {
      const repaired = await repairAs({});
      adding = other.add({ name: 'late', text: 'harbour' });
      // Were it let in, it would be done by then.
      await Promise.race([adding, lookAround(folder)]);
      return repaired;
    });
    await repair(repairing);
    await adding;
    expect(await (await repairing.store()).paths()).toContain('virtual:late');
  });

  test('answers as it was where its repair is stopped, and no candidate stays', async () => {
    const project = await indexed();
    damage();
    const stop = new AbortController();
    await whileRepairing(project, (repairAs, options) =>
      repairAs({
        candidate: async () => {
          stop.abort();
          return (await options.candidate?.()) ?? project.store();
        },
      }),
    );
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
    const put = store.put.bind(store);
    vi.spyOn(store, 'put').mockImplementation(async (...given) => {
      await rm(state, { recursive: true });
      return put(...given);
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

/** Puts something around the repair of the store that answers. */
async function whileRepairing(
  project: Project,
  around: (
    repairAs: (changed: RepairOptions) => Promise<StoreRepair>,
    options: RepairOptions,
  ) => Promise<StoreRepair>,
): Promise<void> {
  const store = await project.store();
  assert(store.repair);
  const repairAs = store.repair.bind(store);
  vi.spyOn(store, 'repair').mockImplementation((options = {}) =>
    around((changed) => repairAs({ ...options, ...changed }), options),
  );
}

/** Takes longer than adding a note. */
async function lookAround(place: string): Promise<void> {
  for (let look = 0; look < 5000; look += 1) await stat(place);
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
