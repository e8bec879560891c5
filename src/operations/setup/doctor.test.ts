import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { openProject } from '../../project/open-project.ts';
import { doctorOperation } from './doctor.ts';

const handbook = { 'heron.md': '# Heron\n\nIt waits in the reeds.\n' };

test('doctor warns of nothing where a paused copy keeps its lock', async () => {
  const place = { 'store.driver': 'lancedb', 'store.url': join(await temporaryFolder(), 'tables') };
  await storeAfterIndexing(place);
  expect(await storeAfterIndexing(place)).toEqual({
    name: 'store',
    state: 'good',
    detail: 'lancedb, written by 2 copies of the project',
  });
});

/** What doctor says of the store after a new copy of the project has written it. */
async function storeAfterIndexing(place: Readonly<Record<string, string>>) {
  const settings = { ...place, 'store.collection': 'copies', 'embedder.driver': 'hashing' };
  const project = await openProject(await temporaryFolder(handbook), { settings });
  try {
    for await (const _ of project.index());
    const { done, value } = await doctorOperation.run(project, {}, {}).next();
    expect(done).toBe(true);
    return (value as { checks: { name: string }[] }).checks.find(({ name }) => name === 'store');
  } finally {
    await project.close();
  }
}
