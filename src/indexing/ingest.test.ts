import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { asQuarryError, interrupted, QuarryError } from '../core/errors.ts';
import { chunksOf } from '../index/chunks-of.ts';
import { setFact } from '../index/write.ts';
import { createBoundedPool } from '../platform/threads/bounded-pool.ts';
import { type ChangingTree, changingTree } from './changing-source.fixture.ts';

const longAgo = 1_000_000_000_000;
/** Writes of a run that reads but changes nothing: when it began and when it ended. */
const timesOfARun = 2;
const inStep = { added: 0, changed: 0, deleted: 0 };

/** The paths that the next run reads. */
async function readBy(tree: ChangingTree, options = {}): Promise<string[]> {
  tree.reads.length = 0;
  await tree.run(options);
  return tree.reads.splice(0);
}

async function textsOf({ store }: ChangingTree): Promise<string[]> {
  const found = await Promise.all((await store.documents()).map(({ id }) => chunksOf(store, id)));
  return found.flat().map(({ text }) => text);
}

/** Lets the clock of the system stand still, however slow the machine is, until the test sets it. */
function holdTheClock(): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** What a pool of threads says of a task that takes too long. */
async function tookTooLong(): Promise<QuarryError> {
  const file = join(await temporaryFolder(), 'thread.mjs');
  await writeFile(
    file,
    `import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => {});`,
  );
  const pool = createBoundedPool({
    file: pathToFileURL(file),
    threads: 1,
    taskMilliseconds: 1,
    threadMegabytes: 32,
    remedies: { time: 'Raise index.file_seconds.', memory: 'Raise resources.memory_mb.', crash: 'Mend it.' },
  });
  const error = await pool.run({}).then(() => interrupted('it never ends'), asQuarryError);
  await pool.close();
  return error;
}

describe('the time of a file', () => {
  test('from the future is as good as any other: it is read once', async () => {
    const tree = await changingTree();
    tree.files.set('a.md', { text: 'alpha', modifiedAt: Date.now() + 1e10 });
    expect(await readBy(tree)).toEqual(['a.md']);
    expect(await readBy(tree)).toEqual([]);
  });

  test('that is of now, or a tick from now, is not trusted yet, and a second look writes nothing', async () => {
    holdTheClock();
    const tree = await changingTree();
    for (const [name, ahead] of Object.entries({ 'a.md': -500, 'b.md': 500 }))
      tree.files.set(name, { text: name, modifiedAt: Date.now() + ahead });
    await tree.run();
    const revision = (await tree.store.state()).revision;
    expect(await readBy(tree)).toEqual(['a.md', 'b.md']);
    expect((await tree.store.state()).revision).toBe(revision + timesOfARun);
  });
});

describe('the moment of reading', () => {
  test('is that of its beginning: a file that was warm then is looked at again, however long it took', async () => {
    holdTheClock();
    const tree = await changingTree();
    let looks = 0;
    tree.files.set('a.md', {
      get text() {
        looks += 1;
        // The first look is that of the scan.
        if (looks === 2) vi.setSystemTime(Date.now() + 5000);
        return 'alpha';
      },
      modifiedAt: Date.now(),
    });
    await tree.run();
    expect(await tree.store.manifest()).toMatchObject([{ uri: 'a.md', modifiedAt: 0 }]);
  });
});

describe('a file that changed although its size and time did not', () => {
  test('is found by the time of the change, by a run and by a comparison', async () => {
    const tree = await changingTree();
    tree.files.set('a.md', { text: 'alpha', modifiedAt: longAgo, changedAt: longAgo });
    tree.files.set('b.md', { text: 'beta', modifiedAt: longAgo, changedAt: longAgo });
    await tree.run();
    tree.files.set('a.md', { text: 'omega', modifiedAt: longAgo, changedAt: Date.now() });
    expect(await tree.behind()).toEqual({ added: 0, changed: 1, deleted: 0 });
    expect(await readBy(tree)).toEqual(['a.md']);
    expect((await textsOf(tree)).toSorted()).toEqual(['beta', 'omega']);
    expect(await tree.behind()).toEqual(inStep);
  });

  test('is found by a run over that file alone, also when it has been taken in by such a run before', async () => {
    const tree = await changingTree();
    tree.files.set('a.md', { text: 'alpha', modifiedAt: longAgo, changedAt: longAgo });
    await tree.run();
    for (const text of ['omega', 'gamma']) {
      tree.files.set('a.md', { text, modifiedAt: longAgo, changedAt: Date.now() });
      await tree.run({ only: ['a.md'] });
      expect(await textsOf(tree)).toEqual([text]);
    }
  });

  test('is found after a first run that was stopped', async () => {
    const tree = await changingTree();
    tree.files.set('a.md', { text: 'alpha', modifiedAt: longAgo, changedAt: longAgo });
    tree.files.set('b.md', { text: 'beta', modifiedAt: longAgo, changedAt: longAgo });
    tree.failing = (uri) => (uri === 'b.md' ? interrupted('closed') : undefined);
    await expect(tree.run()).rejects.toMatchObject({ code: 'interrupted' });
    expect(await textsOf(tree)).toEqual(['alpha']);
    tree.failing = undefined;
    tree.files.set('a.md', { text: 'omega', modifiedAt: longAgo, changedAt: Date.now() });
    await tree.run();
    expect((await textsOf(tree)).toSorted()).toEqual(['beta', 'omega']);
  });

  test('and turns out to be the same is reported as such, whatever it was, without a write', async () => {
    const tree = await changingTree();
    const texts = { 'a.md': 'alpha', 'b.bin': '\0', 'c.md': 'broken' };
    tree.failing = (uri) =>
      uri === 'c.md' ? new QuarryError('document-unsupported', 'is broken', 'Mend it.') : undefined;
    const touch = () => {
      for (const [name, text] of Object.entries(texts))
        tree.files.set(name, { text, modifiedAt: longAgo, changedAt: Date.now() });
    };
    touch();
    await tree.run();
    touch();
    const revision = (await tree.store.state()).revision;
    expect(await tree.behind()).toEqual(inStep);
    tree.reads.length = 0;
    const emitted = await tree.run();
    expect(tree.reads).toEqual(['a.md', 'b.bin', 'c.md']);
    expect((await tree.store.state()).revision).toBe(revision + timesOfARun);
    expect(emitted.filter(({ type }) => !type.startsWith('scan'))).toEqual([
      { type: 'document-unchanged', uri: 'a.md' },
      { type: 'path-skipped', skipped: { uri: 'b.bin', reason: 'binary', rule: 'a zero' } },
      { type: 'document-failed', uri: 'c.md', reason: 'is broken' },
    ]);
  });

  test.each([
    ['0, as of file systems that know none', () => 0],
    ['of a far future, as of a wrong clock', () => Date.now() + 1e10],
    ['of the moment of each look, as of file systems that invent it', () => Date.now() + 50],
    ['unknown to the source', () => undefined],
  ])('a time of change that is %s makes no run read everything again', async (_, changedAt) => {
    holdTheClock();
    const tree = await changingTree();
    const look = () => {
      vi.setSystemTime(Date.now() + 1000);
      const changed = changedAt();
      const times = { modifiedAt: longAgo, ...(changed !== undefined && { changedAt: changed }) };
      tree.files.set('a.md', { text: 'alpha', ...times });
    };
    look();
    await tree.run();
    for (let round = 0; round < 3; round += 1) {
      look();
      expect(await readBy(tree)).toEqual([]);
    }
  });

  test('is read once: a later scan knows that it was looked at', async () => {
    const tree = await changingTree();
    tree.files.set('a.md', { text: 'alpha', modifiedAt: longAgo, changedAt: longAgo });
    await tree.run();
    // As if the first scan had been a minute ago, and the change half a minute.
    await setFact(tree.store, 'scanned-at', String(Date.now() - 60_000));
    tree.files.set('a.md', { text: 'alpha', modifiedAt: longAgo, changedAt: Date.now() - 30_000 });
    expect(await readBy(tree)).toEqual(['a.md']);
    expect(await readBy(tree)).toEqual([]);
    const scanned = (await tree.store.state()).facts.get('scanned-at');
    await tree.run();
    expect((await tree.store.state()).facts.get('scanned-at')).toBe(scanned);
  });
});

test('a file that breaks its reader is listed, and not read again until it changes', async () => {
  const tree = await changingTree();
  tree.failing = () => new QuarryError('document-unsupported', 'is broken', 'Mend it.');
  tree.files.set('a.md', { text: 'alpha', modifiedAt: longAgo });
  await tree.run();
  expect(await tree.store.manifest()).toMatchObject([{ uri: 'a.md', status: 'failed' }]);
  expect(await readBy(tree)).toEqual([]);
  tree.failing = undefined;
  tree.files.set('a.md', { text: 'omega', modifiedAt: longAgo + 1000 });
  await tree.run();
  expect(await textsOf(tree)).toEqual(['omega']);
});

describe('a file that takes too long', () => {
  test('is tried again by each run that is not asked to pass it over, and says what to raise', async () => {
    const tree = await changingTree();
    const error = await tookTooLong();
    tree.files.set('a.md', { text: 'alpha', modifiedAt: longAgo });
    tree.failing = () => error;
    const emitted = await tree.run();
    expect(emitted.find(({ type }) => type === 'document-failed')).toMatchObject({
      reason: expect.stringContaining('Raise index.file_seconds'),
    });
    expect(await readBy(tree, { passOverRefused: true })).toEqual([]);
    expect(await tree.behind()).toEqual(inStep);
    expect(await readBy(tree)).toEqual(['a.md']);
    tree.failing = undefined;
    await tree.run();
    expect(await textsOf(tree)).toEqual(['alpha']);
    expect(await readBy(tree)).toEqual([]);
  });

  test('is not cut again while it is passed over, though it was warm when it was read', async () => {
    const tree = await changingTree();
    const error = await tookTooLong();
    let attempts = 0;
    tree.failing = () => {
      attempts += 1;
      return error;
    };
    tree.files.set('a.md', { text: 'alpha', modifiedAt: Date.now() });
    await tree.run();
    const again = await tree.run({ passOverRefused: true });
    expect(attempts).toBe(1);
    expect(again.filter(({ type }) => type === 'document-failed')).toHaveLength(1);
    tree.files.set('a.md', { text: 'omega', modifiedAt: Date.now() });
    await tree.run({ passOverRefused: true });
    expect(attempts).toBe(2);
  });
});

describe('a file that the machine could not read', () => {
  test.each([
    ['a lack of file handles', 'machine-failed', ['a.md']],
    ['a missing package', 'requirement-missing', []],
  ] as const)(
    'for %s is read by the next run; what was indexed of it stays',
    async (_, code, readInPassing) => {
      const tree = await changingTree();
      tree.files.set('a.md', { text: 'alpha', modifiedAt: longAgo });
      await tree.run();
      tree.files.set('a.md', { text: 'omega', modifiedAt: longAgo + 1 });
      tree.failing = () => new QuarryError(code, 'It failed.', 'Mend the machine.');
      await tree.run();
      expect(await textsOf(tree)).toEqual(['alpha']);
      expect(await tree.store.manifest()).toMatchObject([
        { status: 'failed', reason: code, detail: 'It failed. Mend the machine.' },
      ]);
      expect(await tree.behind()).toEqual(inStep);
      expect(await readBy(tree, { passOverRefused: true })).toEqual(readInPassing);
      tree.failing = undefined;
      expect(await readBy(tree)).toEqual(['a.md']);
      expect(await textsOf(tree)).toEqual(['omega']);
      expect(await readBy(tree)).toEqual([]);
    },
  );
});

describe('a root that holds nothing any more', () => {
  test('keeps its documents and no others, and says how to forget them', async () => {
    const tree = await changingTree();
    const error = new QuarryError('file-unreadable', 'The root is empty.', 'Mount it.');
    for (const uri of ['drive/a.md', 'b.md', 'c.md']) tree.files.set(uri, { text: uri, modifiedAt: longAgo });
    await tree.run();
    const trouble = { error, isEmpty: true, holds: (uri: string) => uri.startsWith('drive/') };
    tree.troubles.push({ uri: 'drive/', trouble });
    tree.files.delete('drive/a.md');
    tree.files.delete('b.md');
    expect(await tree.behind()).toEqual({ added: 0, changed: 0, deleted: 1 });
    const emitted = await tree.run();
    expect(emitted.filter(({ type }) => ['document-deleted', 'root-failed'].includes(type))).toEqual([
      { type: 'root-failed', error },
      { type: 'document-deleted', uri: 'b.md' },
    ]);
    expect(await tree.store.paths()).toEqual(['c.md', 'drive/a.md']);
    const full = await tree.run({ full: true });
    expect(full.map(({ type }) => type)).not.toContain('root-failed');
    expect(await tree.store.paths()).toEqual(['c.md']);
    expect((await tree.run()).map(({ type }) => type)).not.toContain('root-failed');
  });
});
