import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, assert, describe, expect, test } from 'vitest';
import type { Project } from '../src/calls/project.ts';
import type { IndexEvent } from '../src/core/events.ts';
import { tryLock, type WriterLock } from '../src/platform/sqlite/writer-lock.ts';
import { openProject } from '../src/project/open-project.ts';
import { switchIndex } from '../src/state-folder/index-folders.ts';
import { indexEvents } from './index-events.ts';
import { temporaryFolder, writeFiles } from './temporary-folder.ts';

const opened: Project[] = [];
const held: WriterLock[] = [];
afterEach(async () => {
  for (const lock of held.splice(0)) lock.release();
  for (const project of opened.splice(0)) await project.close();
});

async function open(folder: string): Promise<Project> {
  const project = await openProject(folder, {
    settings: { 'embedder.driver': 'hashing', 'resources.threads': 1, 'cache.max_bytes': 0 },
  });
  opened.push(project);
  return project;
}

/** Takes a lock as another process does. */
async function take(folder: string, name: 'writer.lock' | 'vectors.lock'): Promise<WriterLock> {
  await mkdir(join(folder, '.quarry'), { recursive: true });
  const lock = await tryLock(join(folder, '.quarry', name));
  assert(lock, `${name} is held by somebody`);
  held.push(lock);
  return lock;
}

const page = (topic: string) => ({ [`${topic}.md`]: `# ${topic}\n\nA page about ${topic}.\n` });
const pages = { ...page('apples'), ...page('pears'), ...page('plums'), ...page('quinces') };
const typesOf = (events: readonly IndexEvent[]) => events.map(({ type }) => type);

/** A run that waits for the lock of vectors, while another project does something to the index. */
async function runThatWaits(meanwhile: (folder: string) => Promise<void>) {
  const folder = await temporaryFolder(pages);
  const [waiting, other] = [await open(folder), await open(folder)];
  const lock = await take(folder, 'vectors.lock');
  const emitted: IndexEvent[] = [];
  for await (const event of waiting.index()) {
    emitted.push(event);
    if (event.type !== 'index-waiting') continue;
    await meanwhile(folder);
    lock.release();
  }
  return { emitted, waiting, other };
}

// Windows lets nobody move or remove a file that is open.
describe.skipIf(process.platform === 'win32')(
  'an index that is replaced while a run waits for vectors',
  () => {
    test('is not written to any more where another index answers by then, and the next run continues in that', async () => {
      const { emitted, waiting, other } = await runThatWaits(async (folder) => {
        await mkdir(join(folder, '.quarry', 'index-2'));
        const database = new DatabaseSync(join(folder, '.quarry', 'index-1', 'index.sqlite'));
        database.exec(`VACUUM INTO '${join(folder, '.quarry', 'index-2', 'index.sqlite')}'`);
        database.close();
        await switchIndex(join(folder, '.quarry'), 'index-2');
        await rm(join(folder, '.quarry', 'index-1'), { recursive: true });
      });
      expect(typesOf(emitted).slice(-3)).toEqual(['index-waiting', 'vectors-paused', 'index-end']);
      expect((await other.status()).counts).toMatchObject({ chunks: 4, embedded: 0 });
      await indexEvents(waiting);
      expect((await other.status()).counts).toMatchObject({ chunks: 4, embedded: 4 });
    });
  },
);

describe('a run that reads everything again', () => {
  test('lets others take in text while it makes vectors', async () => {
    const folder = await temporaryFolder(pages);
    const [full, other] = [await open(folder), await open(folder)];
    await indexEvents(full);
    await writeFiles(folder, page('medlars'));
    const emitted: IndexEvent[] = [];
    for await (const event of full.index({ full: true })) {
      if (event.type !== 'model-loading') continue;
      await writeFiles(folder, page('sloes'));
      for await (const event of other.index({ wait: false })) emitted.push(event);
    }
    expect(emitted.at(-1)).toMatchObject({ summary: { documents: { indexed: 1 }, chunks: { embedded: 0 } } });
    expect((await other.status()).counts).toMatchObject({ chunks: 6, embedded: 6 });
  });

  test('takes in text while another process makes vectors, waits for those, and has none left to make', async () => {
    const folder = await temporaryFolder(pages);
    const [first, full] = [await open(folder), await open(folder)];
    const emitted: IndexEvent[] = [];
    const run = full.index({ full: true })[Symbol.asyncIterator]();
    const follow = async (isEnough: (event: IndexEvent) => boolean): Promise<void> => {
      for (let step = await run.next(); !step.done; step = await run.next()) {
        emitted.push(step.value);
        if (isEnough(step.value)) return;
      }
    };
    const ends: IndexEvent[] = [];
    for await (const event of first.index()) {
      if (event.type === 'model-loading') await follow(({ type }) => type === 'index-waiting');
      if (event.type === 'index-end') ends.push(event);
    }
    expect(typesOf(emitted)).not.toContain('model-loading');
    expect(typesOf(emitted).at(-1)).toBe('index-waiting');
    expect(typesOf(emitted).filter((type) => type === 'document-indexed')).toHaveLength(4);
    await follow(() => false);
    expect(ends).toMatchObject([{ summary: { chunks: { embedded: 4, pending: 0 } } }]);
    expect(emitted.at(-1)).toMatchObject({ summary: { chunks: { embedded: 0, cached: 0, pending: 0 } } });
    expect((await full.status()).counts).toMatchObject({ chunks: 4, embedded: 4 });
  });

  test('leaves the vectors to another process where it cannot wait', async () => {
    const folder = await temporaryFolder(pages);
    const project = await open(folder);
    await take(folder, 'vectors.lock');
    const emitted: IndexEvent[] = [];
    for await (const event of project.index({ full: true, wait: false })) emitted.push(event);
    expect(emitted.slice(-2)).toMatchObject([
      { type: 'vectors-paused', pending: 4 },
      { type: 'index-end', summary: { documents: { indexed: 4 }, chunks: { embedded: 0 } } },
    ]);
  });

  test('replaces a damaged index only once nobody else writes text', async () => {
    const folder = await temporaryFolder(pages);
    const project = await open(folder);
    const emitted: IndexEvent[] = [];
    let lock: WriterLock | undefined;
    for await (const event of project.index({ full: true })) {
      emitted.push(event);
      if (event.type === 'model-loading' && !lock) {
        lock = await take(folder, 'writer.lock');
        damage(folder);
      }
      if (event.type === 'index-waiting') lock?.release();
    }
    expect(
      typesOf(emitted).filter((type) => ['scan-start', 'index-waiting', 'index-end'].includes(type)),
      // The next index gets the text of all files before it answers, and vectors then.
    ).toEqual(['scan-start', 'index-waiting', 'scan-start', 'scan-start', 'index-end']);
    expect((await project.status()).counts).toMatchObject({ documents: 4, chunks: 4, embedded: 4 });
  });

  test('keeps what stands in no file where the index is damaged', async () => {
    const folder = await temporaryFolder(pages);
    const project = await open(folder);
    await indexEvents(project);
    await project.add({ name: 'note.md', text: 'A note without a file.' });
    await writeFiles(folder, page('medlars'));
    let lock: WriterLock | undefined;
    for await (const event of project.index({ full: true })) {
      if (event.type === 'model-loading' && !lock) {
        lock = await take(folder, 'writer.lock');
        damage(folder);
      }
      if (event.type === 'index-waiting') lock?.release();
    }
    expect(lock).toBeDefined();
    expect(await (await project.store()).paths()).toContain('virtual:note.md');
    expect((await project.status()).counts).toMatchObject({ documents: 6, embedded: 6 });
  });
});

/** Takes a table out of the index behind everyone's back. */
function damage(folder: string): void {
  const database = new DatabaseSync(join(folder, '.quarry', 'index-1', 'index.sqlite'), {
    enableForeignKeyConstraints: false,
  });
  database.exec('DROP TABLE vectors');
  database.close();
}
