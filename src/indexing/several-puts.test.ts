import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Store } from '../contracts/store.ts';
import { QuarryError } from '../core/errors.ts';
import { type ChangingTree, changingTree } from './changing-source.fixture.ts';

/** A tree of thirty files over a store that likes eight documents in a commit, each of which takes a while. */
async function slowTree(refused?: string): Promise<{ tree: ChangingTree; max: () => number }> {
  const tree = await changingTree();
  for (let number = 10; number < 40; number += 1)
    tree.files.set(`f${number}.md`, { text: `text ${number}`, modifiedAt: 1 });
  const store: { -readonly [Name in keyof Store]: Store[Name] } = tree.store;
  const commit = store.commit.bind(store);
  let max = 0;
  store.commitSize = { documents: 8, chunks: 100 };
  store.commit = async (changes) => {
    const { documents = [] } = changes;
    max = Math.max(max, documents.length);
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    if (documents.some(({ document }) => document.uri === refused))
      throw new QuarryError('usage-invalid', 'It is refused.', 'Report this.');
    return commit(changes);
  };
  return { tree, max: () => max };
}

const indexedOf = (events: readonly { readonly type: string }[]): string[] =>
  events.flatMap((event) =>
    event.type === 'document-indexed' ? [(event as { uri?: string }).uri ?? ''] : [],
  );

test('a run commits as many documents together as the store likes, and reports them in their order', async () => {
  const { tree, max } = await slowTree();
  const indexed = indexedOf(await tree.run());
  expect(indexed).toEqual([...tree.files.keys()]);
  expect(max()).toBe(8);
  expect(await tree.store.paths()).toEqual(indexed);
});

test('a run hands files to the store in groups, though they are read one after the other', async () => {
  const tree = await changingTree();
  for (let number = 10; number < 40; number += 1)
    tree.files.set(`f${number}.md`, { text: `text ${number}`, modifiedAt: 1 });
  const store: { -readonly [Name in keyof Store]: Store[Name] } = tree.store;
  const commit = store.commit.bind(store);
  const groups: string[][] = [];
  store.commitSize = { documents: 8, chunks: 100 };
  store.commit = (changes) => {
    if (changes.documents) groups.push(changes.documents.map(({ document }) => document.uri));
    return commit(changes);
  };
  const { source } = tree;
  const read = source.read.bind(source);
  source.read = async (uri) => {
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    return read(uri);
  };
  // No time passes: what waits continues because there is enough of it, or because it is the last.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await tree.run();
  } finally {
    vi.useRealTimers();
  }
  expect(groups.flat()).toEqual([...tree.files.keys()]);
  expect(groups.map(({ length }) => length)).toEqual([8, 8, 8, 6]);
});

test('a run that is stopped, fails or is left reports what was stored before, and ends when nothing is under way', async () => {
  for (const how of ['stopped', 'failed', 'left']) {
    const { tree } = await slowTree(how === 'failed' ? 'f20.md' : undefined);
    const stop = new AbortController();
    const events: { readonly type: string }[] = [];
    const running = (async () => {
      for await (const event of tree.begin({ signal: stop.signal })) {
        events.push(event);
        if (indexedOf(events).length < 5) continue;
        if (how === 'stopped') stop.abort();
        if (how === 'left') break;
      }
    })();
    if (how === 'left') await running;
    else
      await expect(running).rejects.toMatchObject({
        code: how === 'stopped' ? 'interrupted' : 'usage-invalid',
      });
    const stored = await tree.store.paths();
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    expect(await tree.store.paths()).toEqual(stored);
    expect(stored.length).toBeLessThan(30);
    const reported = indexedOf(events);
    expect(stored).toEqual(expect.arrayContaining(reported));
    if (how === 'stopped') expect(stored).toEqual(reported);
    if (how === 'failed') expect(reported).toEqual([...tree.files.keys()].slice(0, 10));
  }
});

test('files that give no chunks are noted together, and after a run is stopped no others are', async () => {
  for (const isStopped of [false, true]) {
    const tree = await changingTree();
    for (let number = 10; number < 40; number += 1)
      tree.files.set(`f${number}.md`, { text: `\0 ${number}`, modifiedAt: 1 });
    const store: { -readonly [Name in keyof Store]: Store[Name] } = tree.store;
    const commit = store.commit.bind(store);
    const groups: number[] = [];
    const stop = new AbortController();
    store.commitSize = { documents: 15, chunks: 100 };
    store.commit = async (changes) => {
      if (!changes.manifest) return commit(changes);
      groups.push(changes.manifest.length);
      if (isStopped) stop.abort();
      // Until all others wait.
      for (let turn = 0; turn < 100; turn += 1) await nextTurn();
      return commit(changes);
    };
    const running = (async () => {
      for await (const _ of tree.begin({ signal: stop.signal }));
    })();
    if (isStopped) await expect(running).rejects.toMatchObject({ code: 'interrupted' });
    else await running;
    if (isStopped) expect(groups).toEqual([1]);
    else expect(groups.length).toBeLessThan(10);
    expect(await store.manifest()).toHaveLength(isStopped ? 1 : 30);
  }
});
