import { expect, test } from 'vitest';
import { QuarryError } from '../core/errors.ts';
import { changingTree } from './changing-source.fixture.ts';

test('a run that is left early closes what it reads', async () => {
  const tree = await changingTree();
  const error = new QuarryError('project-not-found', 'The root is gone.', 'Bring it back.');
  tree.troubles.push({ uri: 'gone/', trouble: { error, isEmpty: false, holds: () => false } });
  for await (const { type } of tree.begin()) {
    if (type !== 'path-skipped') continue;
    expect(tree.openScans).toBe(1);
    break;
  }
  expect(tree.openScans).toBe(0);
});
