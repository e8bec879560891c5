import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Project } from '../src/calls/project.ts';
import type { IndexEvent } from '../src/core/events.ts';
import { tryLock } from '../src/platform/sqlite/writer-lock.ts';
import { resultOf } from '../src/platform/streams.ts';
import { openProject } from '../src/project/open-project.ts';
import { countsOf } from '../src/testing/counts-of.ts';
import { indexEvents } from './index-events.ts';
import { startOpenAiServer } from './servers/embedding/openai-server.ts';
import { temporaryFolder, writeFiles } from './temporary-folder.ts';

const opened: Project[] = [];
afterEach(async () => {
  for (const project of opened.splice(0)) await project.close();
});

async function open(folder: string, settings: Record<string, unknown> = {}): Promise<Project> {
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing', ...settings } });
  opened.push(project);
  return project;
}

const pages = Object.fromEntries(
  ['apples', 'pears', 'plums', 'quinces'].map((topic) => [
    `${topic}.md`,
    `# ${topic}\n\nA page about ${topic}.\n`,
  ]),
);

describe('several at once', () => {
  test('a second run waits for the first, and then has nothing left to do', async () => {
    const folder = await temporaryFolder(pages);
    const [first, second] = [await open(folder), await open(folder)];
    let events: Promise<IndexEvent[]> | undefined;
    for await (const event of first.index()) if (event.type === 'scan-start') events = indexEvents(second);
    const emitted = (await events) ?? [];
    // This process has both.
    const holder = `process ${process.pid} on ${hostname()}`;
    expect(emitted[0]).toEqual({ type: 'index-waiting', holder });
    expect(emitted.at(-1)).toMatchObject({ summary: { documents: { indexed: 0 }, chunks: { embedded: 0 } } });
  });

  test('a caller that cannot wait learns it, and searches what is there', async () => {
    const folder = await temporaryFolder(pages);
    const [writer, reader] = [await open(folder), await open(folder)];
    await indexEvents(writer);
    for await (const event of writer.index()) {
      if (event.type !== 'scan-start') continue;
      const work = async () => {
        for await (const _ of reader.index({ wait: false }));
      };
      await expect(work()).rejects.toMatchObject({ code: 'store-busy' });
      expect((await reader.search('quinces')).hits[0]?.document.uri).toBe('quinces.md');
    }
  });

  test('a search that meets a writer waits a moment for it, and finds what was written since', async () => {
    const folder = await temporaryFolder(pages);
    const project = await open(folder);
    await indexEvents(project);
    await writeFiles(folder, { 'medlars.md': '# medlars\n\nMedlars are eaten when they are bletted.\n' });
    const lock = await tryLock(join(folder, '.quarry', 'writer.lock'));
    const { warnings } = await resultOf(project.freshen(), ({ type }) => {
      if (type === 'index-waiting') lock?.release();
    });
    expect(warnings).toEqual([]);
    const { hits } = await project.search('bletted', { route: 'text', update: false });
    expect(hits[0]?.document.uri).toBe('medlars.md');
  });

  test('while one makes vectors, another takes in text, and leaves the vectors to the first', async () => {
    const folder = await temporaryFolder(pages);
    const [first, second] = [await open(folder), await open(folder)];
    let emitted: IndexEvent[] = [];
    for await (const event of first.index()) {
      if (event.type !== 'model-loading') continue;
      await writeFiles(folder, { 'medlars.md': '# medlars\n\nMedlars are eaten when they are bletted.\n' });
      for await (const other of second.index({ wait: false })) emitted = [...emitted, other];
      expect((await second.search('bletted', { denseWeight: 0 })).hits[0]?.document.uri).toBe('medlars.md');
    }
    expect(emitted.at(-2)).toEqual({ type: 'vectors-paused', pending: 5 });
    expect(emitted.at(-1)).toMatchObject({ summary: { documents: { indexed: 1 }, chunks: { embedded: 0 } } });
    // What came while the first one was at it has its vector too.
    expect((await second.status()).counts).toMatchObject({ chunks: 5, embedded: 5 });
  });

  test('a run that gives way ends without an error, and the next one continues', async () => {
    const folder = await temporaryFolder(pages);
    const project = await open(folder, { 'cache.max_bytes': 0 });
    const giveWay = new AbortController();
    const events: IndexEvent[] = [];
    for await (const event of project.index({ giveWay: giveWay.signal })) {
      events.push(event);
      if (event.type === 'model-loading') giveWay.abort();
    }
    expect(events.slice(-2)).toMatchObject([
      { type: 'vectors-paused', pending: 4 },
      { type: 'index-end', summary: { chunks: { embedded: 0, pending: 4 } } },
    ]);
    expect(events.map(({ type }) => type)).not.toContain('vectors-failed');
    const rest = (await indexEvents(project)).at(-1);
    expect(rest).toMatchObject({
      summary: { documents: { unchanged: 4 }, chunks: { embedded: 4, pending: 0 } },
    });
  });

  test('a run that waits for vectors of another process gives way too', async () => {
    const folder = await temporaryFolder(pages);
    const [first, second] = [await open(folder), await open(folder)];
    const giveWay = new AbortController();
    for await (const event of first.index()) {
      if (event.type !== 'model-loading') continue;
      const emitted: string[] = [];
      for await (const other of second.index({ giveWay: giveWay.signal })) {
        emitted.push(other.type);
        if (other.type === 'index-waiting') giveWay.abort();
      }
      expect(emitted.slice(-3)).toEqual(['index-waiting', 'vectors-paused', 'index-end']);
    }
  });
});

test('what another process takes out while vectors are made is no step back', async () => {
  const folder = await temporaryFolder(pages);
  const [first, second] = [await open(folder), await open(folder)];
  await indexEvents(first);
  await writeFiles(folder, { 'medlars.md': '# medlars\n\nMedlars are eaten when they are bletted.\n' });
  const done: number[] = [];
  for await (const event of first.index()) {
    if (event.type === 'vectors-added') done.push(event.done);
    if (event.type !== 'model-loading') continue;
    for (const name of Object.keys(pages)) await rm(join(folder, name));
    for await (const _ of second.index({ wait: false }));
  }
  expect(done.length).toBeGreaterThan(0);
  expect(Math.min(...done)).toBe(0);
  expect((await second.status()).counts).toMatchObject({ documents: 1, chunks: 1, embedded: 1 });
});

test('vectors that another process is just making are not taken for those of a previous embedder', async () => {
  const server = await startOpenAiServer({ model: 'm', dimensions: 16 });
  const folder = await temporaryFolder({ ...pages, 'quarry.toml': '[embedder]\ndriver = "hashing"\n' });
  const plain = await openProject(folder);
  opened.push(plain);
  await indexEvents(plain);
  const trial = await open(folder, {
    'embedder.driver': 'openai',
    'embedder.url': server.url,
    'embedder.model': 'm',
  });
  for await (const event of trial.index())
    if (event.type === 'vectors-added') for await (const _ of plain.index({ wait: false }));
  const spaces = [...(await (await trial.store()).state()).spaces.keys()];
  expect(spaces).toHaveLength(2);
  for (const space of spaces)
    expect(await countsOf(await trial.store(), space)).toMatchObject({ chunks: 5, embedded: 5 });
  await server.close();
});
