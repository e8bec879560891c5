import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Store } from '../../contracts/store.ts';
import type { IndexEvent } from '../../core/events.ts';
import { deletePaths, putManifest } from '../../index/write.ts';
import { openProject } from '../../project/open-project.ts';
import { followOthers } from './changes-of-others.ts';

test('what an index held that could not be opened at first is no change', async () => {
  const folder = await temporaryFolder({ 'tea.md': '# Tea\n\nGreen tea.\n', 'oak.md': '# Oak\n\nA tree.\n' });
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  onTestFinished(() => project.close());
  for await (const _ of project.index());
  let opened = 0;
  const store = async (): Promise<Store> => {
    opened += 1;
    if (opened === 1) throw new Error('too many open files');
    return project.store();
  };
  const others = followOthers(() => true);
  const events: IndexEvent['type'][] = [];
  for await (const { type } of others.addTo(project.index(), store)) events.push(type);
  expect(opened).toBeGreaterThan(1);
  expect(events).not.toContain('document-indexed');
});

test('a file that fails for others stays what it was, until they delete it', async () => {
  const folder = await temporaryFolder({ 'tea.md': '# Tea\n\nGreen tea.\n' });
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  onTestFinished(() => project.close());
  for await (const _ of project.index());
  const store = await project.store();
  const others = followOthers(() => true);
  /** What a run emits of changes that are not its own. */
  const emitted = async (): Promise<unknown[]> => {
    const run = async function* (): AsyncGenerator<IndexEvent> {
      yield { type: 'scan-end', files: 1, changed: 0, skipped: 0 };
      yield { type: 'model-loading', name: 'hashing' };
    };
    const found: unknown[] = [];
    for await (const event of others.addTo(run(), async () => store))
      if (event.type.startsWith('document-')) found.push(event);
    return found;
  };
  const nothing = { size: 1, modifiedAt: 1, contentHash: '', recipe: '', chunks: 0 };
  expect(await emitted()).toEqual([]);
  await putManifest(store, [{ ...nothing, uri: 'tea.md', status: 'failed', reason: 'file-unreadable' }]);
  expect(await emitted()).toEqual([]);
  await deletePaths(store, ['tea.md']);
  expect(await emitted()).toEqual([{ type: 'document-deleted', uri: 'tea.md' }]);
});
