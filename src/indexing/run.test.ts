import { chmod, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import type { IndexEvent } from '../core/events.ts';
import type { IndexSummary } from '../core/index-summary.ts';
import { chunksOf } from '../index/chunks-of.ts';
import { addVectors, deletePaths, putManifest, setFact } from '../index/write.ts';
import { openProject } from '../project/open-project.ts';

const hashing = { 'embedder.driver': 'hashing' };

async function run(project: Project, options: { full?: boolean; signal?: AbortSignal } = {}) {
  const events: IndexEvent[] = [];
  for await (const event of project.index(options)) events.push(event);
  const last = events.at(-1);
  expect(last?.type).toBe('index-end');
  return { events, summary: (last as { summary: IndexSummary }).summary };
}

async function projectWith(
  files: Record<string, string | Uint8Array>,
  settings: Record<string, unknown> = {},
) {
  const folder = await temporaryFolder(files);
  return { folder, project: await openProject(folder, { settings: { ...hashing, ...settings } }) };
}

/** As if the files had been left alone for long before the last scan: nothing sets the time of a change back. */
async function restSinceScan(project: Project): Promise<void> {
  await setFact(await project.store(), 'scanned-at', String(Date.now() + 10_000));
}

/** A Markdown file of several sections, each large enough to be a chunk of its own. */
function sections(...names: string[]): string {
  const sentence = (name: string) => `The section about ${name} explains ${name} with many different words. `;
  return names.map((name) => `## ${name}\n\n${sentence(name).repeat(12)}\n`).join('\n');
}

describe('a first run', () => {
  test('indexes every file and says what it did', async () => {
    const { project } = await projectWith({
      'a.md': sections('apples', 'pears'),
      'src/b.ts': 'export const b = 1;\n',
    });
    const { summary, events } = await run(project);
    expect(summary.documents).toEqual({ indexed: 2, unchanged: 0, deleted: 0, failed: 0 });
    expect(summary.chunks).toMatchObject({ total: 3, written: 3, embedded: 3, pending: 0 });
    expect(events.map((event) => event.type)).toEqual(
      expect.arrayContaining(['scan-start', 'scan-end', 'document-indexed', 'vectors-added', 'index-end']),
    );
    expect(await (await project.store()).paths()).toEqual(['a.md', 'src/b.ts']);
    await project.close();
  });

  test('writes chunks whose text is the slice of the file that their span names', async () => {
    const text = `${sections('one', 'two', 'three')}\n\n\`\`\`js\nconst 🙂 = 1;\n\`\`\`\n`;
    const { project } = await projectWith({ 'a.md': text });
    await run(project);
    const store = await project.store();
    const [document] = await store.documents();
    const chunks = await chunksOf(store, document?.id ?? '');
    expect(chunks.length).toBeGreaterThan(2);
    for (const { span, text: stored } of chunks) {
      expect(text.slice(span.start, span.end)).toBe(stored);
      expect(
        text
          .split('\n')
          .slice(span.firstLine - 1, span.lastLine)
          .join('\n'),
      ).toContain(stored);
    }
    await project.close();
  });

  test('of an empty folder ends well', async () => {
    const { project } = await projectWith({});
    const { summary } = await run(project);
    expect(summary.chunks.total).toBe(0);
    expect((await project.search('anything')).hits).toEqual([]);
    await project.close();
  });
});

describe('a later run', () => {
  test('of an unchanged folder reads nothing and embeds nothing', async () => {
    const { folder, project } = await projectWith({ 'a.md': sections('apples') });
    // Beyond the time in which a file might still change within one clock tick.
    await utimes(join(folder, 'a.md'), new Date(2020, 1), new Date(2020, 1));
    await run(project);
    await restSinceScan(project);
    const { summary, events } = await run(project);
    expect(summary.documents).toMatchObject({ indexed: 0, unchanged: 1 });
    expect(events.find((event) => event.type === 'scan-end')).toMatchObject({ changed: 0 });
    expect(summary.chunks.embedded).toBe(0);
    await project.close();
  });

  test('embeds only the chunk that was edited', async () => {
    const { folder, project } = await projectWith({ 'a.md': sections('apples', 'pears', 'plums') });
    await run(project);
    await writeFile(join(folder, 'a.md'), sections('apples', 'cherries', 'plums'));
    const { summary } = await run(project);
    expect(summary.documents.indexed).toBe(1);
    expect(summary.chunks).toMatchObject({ total: 3, written: 3, embedded: 1, reused: 2 });
    expect((await project.search('cherries')).hits[0]?.chunk.section).toBe('cherries');
    expect((await (await project.store()).searchText(['pears'], { limit: 5 })).length).toBe(0);
    await project.close();
  });

  test('notices an edit that keeps size and time within the same tick', async () => {
    const { folder, project } = await projectWith({ 'a.md': 'alpha alpha alpha' });
    const moment = new Date();
    await utimes(join(folder, 'a.md'), moment, moment);
    await run(project);
    await writeFile(join(folder, 'a.md'), 'gamma gamma gamma');
    await utimes(join(folder, 'a.md'), moment, moment);
    await run(project);
    expect((await project.search('gamma')).hits).toHaveLength(1);
    await project.close();
  });

  test('forgets deleted files and embeds nothing for renamed ones', async () => {
    const { folder, project } = await projectWith({ 'a.md': sections('apples'), 'b.md': sections('pears') });
    await run(project);
    await rm(join(folder, 'b.md'));
    await rename(join(folder, 'a.md'), join(folder, 'moved.md'));
    const { summary, events } = await run(project);
    expect(summary.documents.deleted).toBe(2);
    expect(summary.chunks.embedded).toBe(0);
    expect(events.filter((event) => event.type === 'document-deleted')).toHaveLength(2);
    expect(await (await project.store()).paths()).toEqual(['moved.md']);
    await project.close();
  });

  test('with full reads everything again and still embeds nothing that is there', async () => {
    const { project } = await projectWith({ 'a.md': sections('apples') });
    await run(project);
    const { summary } = await run(project, { full: true });
    expect(summary.documents.indexed).toBe(1);
    expect(summary.chunks.embedded).toBe(0);
    await project.close();
  });

  test('cuts files again when the chunk settings change', async () => {
    const { folder, project } = await projectWith({ 'a.md': sections('apples') });
    await run(project);
    await project.close();
    const smaller = await openProject(folder, {
      settings: {
        ...hashing,
        'chunking.sizes': 'characters',
        'chunking.by_characters.size': 160,
        'chunking.by_characters.overlap': 0,
      },
    });
    const { summary } = await run(smaller);
    expect(summary.documents.indexed).toBe(1);
    expect(summary.chunks.total).toBeGreaterThan(3);
    await smaller.close();
  });

  test('with another embedder in the settings drops the vectors of the old one once its own are whole', async () => {
    const folder = await temporaryFolder({
      'a.md': sections('apples'),
      'quarry.toml': '[embedder]\ndriver = "hashing"',
    });
    const project = await openProject(folder);
    await run(project);
    const store = await project.store();
    const [missing] = await store.missingVectors('another:model', 1);
    const vector = new Float32Array([1, 0]);
    await addVectors(store, 'another:model', [{ embeddingKey: missing?.embeddingKey ?? '', vector }]);
    expect([...(await store.state()).spaces.keys()]).toHaveLength(2);
    await run(project);
    expect([...(await store.state()).spaces.keys()]).toEqual(['hashing:64']);
    expect((await project.search('apples')).hits[0]?.document.uri).toBe('a.md');
    await project.close();
  });

  test('with another embedder for one run keeps the vectors that are there', async () => {
    const { project } = await projectWith({ 'a.md': sections('apples') });
    await run(project);
    const store = await project.store();
    const [missing] = await store.missingVectors('another:model', 1);
    const vector = new Float32Array([1, 0]);
    await addVectors(store, 'another:model', [{ embeddingKey: missing?.embeddingKey ?? '', vector }]);
    await run(project);
    expect([...(await store.state()).spaces.keys()]).toEqual(['another:model', 'hashing:64']);
    await project.close();
  });

  test('takes a file out that is ignored from now on, whatever happened to it before', async () => {
    const { folder, project } = await projectWith({ 'a.md': sections('apples'), 'b.md': sections('pears') });
    await run(project);
    const store = await project.store();
    const entry = (await store.manifest()).find(({ uri }) => uri === 'a.md');
    if (!entry) throw new TypeError('nothing noted');
    await putManifest(store, [
      { ...entry, status: 'skipped', reason: 'unreadable', detail: 'was locked', contentHash: '' },
    ]);
    await writeFiles(folder, { '.gitignore': 'a.md\n' });
    await run(project);
    expect(await store.paths()).toEqual(['.gitignore', 'b.md']);
    await project.close();
  });

  test('reads a file again whose document is missing though the manifest says it is there', async () => {
    const { folder, project } = await projectWith({ 'a.md': sections('apples') });
    await utimes(join(folder, 'a.md'), new Date(2020, 1), new Date(2020, 1));
    await run(project);
    const store = await project.store();
    const [entry] = (await store.manifest()).filter(({ uri }) => uri === 'a.md');
    await deletePaths(store, ['a.md']);
    if (entry) await putManifest(store, [entry]);
    await run(project);
    expect(await store.paths()).toEqual(['a.md']);
    await project.close();
  });
});

describe('bad input', () => {
  test('is listed with its reason and never stops the run', async () => {
    const { project } = await projectWith(
      {
        'good.md': sections('apples'),
        'binary.dat': new Uint8Array([1, 0, 2, 0, 255]),
        'blank.md': ' \n\n ',
        'empty.md': '',
        'big.md': 'x'.repeat(5000),
        'latin.txt': Buffer.from('caf\xe9 au lait in plain words', 'latin1'),
        '.gitignore': 'ignored.md\n',
        'ignored.md': 'secret plans',
      },
      { 'index.max_file_bytes': 4000 },
    );
    const { summary } = await run(project);
    expect(summary.documents).toMatchObject({ failed: 0 });
    expect(summary.skipped).toMatchObject({ binary: 1, empty: 2, 'too-large': 1, ignored: 1 });
    const { skipped, degraded } = await project.status();
    expect(skipped.find((entry) => entry.uri === 'ignored.md')?.detail).toContain('.gitignore:1');
    expect(degraded).toMatchObject([{ uri: 'latin.txt', detail: expect.stringMatching(/windows-1252/i) }]);
    expect((await project.search('café au lait')).hits[0]?.document.uri).toBe('latin.txt');
    await project.close();
  });

  test('counts the same skipped files in the next run', async () => {
    const { folder, project } = await projectWith({
      'binary.dat': new Uint8Array([1, 0, 2]),
      'a.md': 'text here',
    });
    for (const name of ['binary.dat', 'a.md'])
      await utimes(join(folder, name), new Date(2020, 1), new Date(2020, 1));
    await run(project);
    const { summary } = await run(project);
    expect(summary.skipped).toMatchObject({ binary: 1 });
    expect(summary.documents).toMatchObject({ unchanged: 1, indexed: 0 });
    await project.close();
  });

  test('a skipped file that is gone is no longer listed', async () => {
    const { folder, project } = await projectWith({
      'x.dat': new Uint8Array([0]),
      '.gitignore': 'y.md',
      'y.md': 'y',
    });
    await run(project);
    await rm(join(folder, 'x.dat'));
    await rm(join(folder, 'y.md'));
    await run(project);
    expect((await project.status()).skipped.map(({ uri }) => uri)).not.toContain('x.dat');
    expect((await project.status()).skipped.map(({ uri }) => uri)).not.toContain('y.md');
    await project.close();
  });

  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'an unreadable folder keeps what was indexed of it',
    async () => {
      const { folder, project } = await projectWith({ 'locked/a.md': sections('apples') });
      await run(project);
      await chmod(join(folder, 'locked'), 0o000);
      const { summary } = await run(project);
      await chmod(join(folder, 'locked'), 0o755);
      expect(summary.documents.deleted).toBe(0);
      await project.close();
    },
  );
});

describe('stopping', () => {
  test('between files keeps what was committed, and the next run continues', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`f${at}.md`, sections(`topic ${at}`)]),
    );
    const { project } = await projectWith(files);
    const stop = new AbortController();
    const indexed = new Set<string>();
    const interruptedRun = (async () => {
      for await (const event of project.index({ signal: stop.signal })) {
        if (event.type === 'document-indexed') indexed.add(event.uri);
        if (indexed.size === 10) stop.abort();
      }
    })();
    await expect(interruptedRun).rejects.toMatchObject({ code: 'interrupted' });
    const committed = await (await project.store()).paths();
    expect(committed.length).toBeGreaterThanOrEqual(10);
    expect(committed.length).toBeLessThan(40);
    expect((await project.search('topic')).hits.length).toBeGreaterThan(0);
    const { summary } = await run(project);
    expect(summary.chunks).toMatchObject({ total: 40, pending: 0 });
    await project.close();
  });

  test('a file that goes between scan and read is no failure, and what was indexed of it goes too', async () => {
    const { folder, project } = await projectWith({ 'a.md': sections('apples'), 'b.md': sections('pears') });
    const without = async (name: string) => {
      const emitted: IndexEvent[] = [];
      for await (const event of project.index()) {
        if (event.type === 'scan-end') await rm(join(folder, name));
        emitted.push(event);
      }
      return emitted.filter(({ type }) => ['document-deleted', 'document-failed'].includes(type));
    };
    expect(await without('b.md')).toEqual([]);
    expect((await project.manifest()).map(({ uri }) => uri)).not.toContain('b.md');
    await writeFiles(folder, { 'b.md': sections('pears') });
    await run(project);
    await writeFiles(folder, { 'b.md': sections('plums') });
    expect(await without('b.md')).toEqual([{ type: 'document-deleted', uri: 'b.md' }]);
    expect(await (await project.store()).paths()).toEqual(['a.md']);
    expect((await project.status()).failed).toEqual([]);
    await project.close();
  });

  test('by closing the project fails no file: the next run takes in all of them', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`f${at}.md`, sections(`topic ${at}`)]),
    );
    const { folder, project } = await projectWith(files);
    const failed: IndexEvent[] = [];
    let closing: Promise<void> | undefined;
    const closedRun = (async () => {
      for await (const event of project.index()) {
        if (event.type === 'document-failed') failed.push(event);
        if (event.type === 'document-indexed') closing ??= project.close();
      }
    })();
    await expect(closedRun).rejects.toThrow();
    await closing;
    expect(failed).toEqual([]);
    const again = await openProject(folder, { settings: hashing });
    expect((await again.status({ compare: false })).failed).toEqual([]);
    const { summary } = await run(again);
    expect(summary.documents.failed).toBe(0);
    expect(await (await again.store()).paths()).toHaveLength(60);
    await again.close();
  });
});
