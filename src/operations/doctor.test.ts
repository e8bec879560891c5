import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noServer, sharedChroma } from '../drivers/stores/chroma/server.fixture.ts';
import { openProject } from '../project/open-project.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { doctorOperation } from './doctor.ts';

const handbook = { 'heron.md': '# Heron\n\nIt waits in the reeds.\n' };

test.skipIf(noServer)(
  `doctor warns where a store cannot keep a paused copy of the project from a late write${noServer ? ` (${noServer})` : ''}`,
  async () => {
    const place = { 'store.driver': 'chroma', 'store.url': (await sharedChroma()).url };
    expect(await storeAfterIndexing(place)).toEqual({
      name: 'store',
      state: 'good',
      detail: 'chroma, written by 1 copy of the project',
    });
    expect(await storeAfterIndexing(place)).toMatchObject({
      state: 'note',
      detail: expect.stringMatching(/^chroma, written by 2 copies of the project; a write .* may arrive/),
      remedy: expect.stringContaining('quarry store migrate --to postgres'),
    });
  },
);

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
