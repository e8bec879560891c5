import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { withFolderRules } from './folder-rules.ts';

const settings = { useGitignore: true, ignoreCase: false, defaultSkips: true, exclude: [] };
const none = { git: [], quarry: [] };

test('a folder without ignore files has the rules of its parent', async () => {
  const place = { absolute: await temporaryFolder({}), base: 0, label: '' };
  expect(await withFolderRules(none, place, settings)).toBe(none);
});

test('a folder whose ignore files cannot be looked at is not read as if it had none', async () => {
  const absolute = join(await temporaryFolder({}), ...Array.from({ length: 40 }, () => 'deep'.repeat(40)));
  await expect(withFolderRules(none, { absolute, base: 0, label: '' }, settings)).rejects.toMatchObject({
    code: 'ENAMETOOLONG',
  });
});
