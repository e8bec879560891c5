import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Store } from '../../contracts/store.ts';
import type { IndexEvent } from '../../core/events.ts';
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
