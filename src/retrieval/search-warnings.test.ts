import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openProject } from '../index.ts';
import { resultOf } from '../platform/streams.ts';

test('a search for a kind that is read on demand alone, and was not asked for, says how to get it', async () => {
  const folder = await temporaryFolder({ 'ferry.md': '# Ferries\n\nA ferry goes at noon.\n' });
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  await resultOf(project.freshen({ update: true }));
  const remediesOf = async (types: string[]) => {
    const { warnings } = await project.search('when does the ferry go?', {
      filter: { types },
      update: false,
    });
    return warnings.map(({ remedy }) => remedy);
  };
  expect(await remediesOf(['commit'])).toEqual([expect.stringContaining('quarry index --history')]);
  expect(await remediesOf(['conversation', 'image'])).toEqual([
    expect.stringContaining('quarry source add transcripts'),
    expect.stringContaining('quarry model add pp-ocrv4'),
  ]);
  expect(await remediesOf(['doc', 'email'])).toEqual([]);
  await project.close();
});
