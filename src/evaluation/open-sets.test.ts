import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProject } from '../project/open-project.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openSets } from './open-sets.ts';

test('sets have names of their own, whatever their folders are called', async () => {
  const places = ['x/a (2)', 'x/a', 'y/a', 'z/a'];
  const files = places.flatMap((place) => [
    [`${place}/corpus.jsonl`, '{"_id": "d", "text": "text"}'],
    [`${place}/queries.jsonl`, '{"_id": "q", "text": "text"}'],
    [`${place}/qrels.tsv`, 'q\td\t1'],
  ]);
  const folder = await temporaryFolder(Object.fromEntries(files));
  const project = await openProject(folder);
  const sets = await openSets(
    places.map((place) => join(folder, place)),
    project,
    {},
    { cacheFolder: await temporaryFolder() },
  );
  expect(sets.map(({ name }) => name)).toEqual(['a (2)', 'a', 'a (3)', 'a (4)']);
  await project.close();
});
