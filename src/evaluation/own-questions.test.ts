import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openProject } from '../project/open-project.ts';
import { readOwnQuestions } from './own-questions.ts';

test('a cache that cannot be written is named, with what to do about it', async () => {
  const folder = await temporaryFolder({
    'a.md': 'text',
    'q.jsonl': '{"text": "text", "relevant": ["a.md"]}',
  });
  const project = await openProject(folder);
  const cacheFolder = join(folder, 'a.md', 'cache');
  const set = await readOwnQuestions(join(folder, 'q.jsonl'), project, {}, { cacheFolder });
  await expect(set.parts[0]?.open({ 'chunking.sizes': 'large' })).rejects.toMatchObject({
    code: 'store-unusable',
    message: expect.stringContaining(join(cacheFolder, 'evaluation')),
    remedy: expect.stringContaining('QUARRY_CACHE_FOLDER'),
  });
  await project.close();
});
