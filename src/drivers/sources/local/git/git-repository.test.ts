import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { readGitRules } from './git-repository.ts';

test.skipIf(process.getuid?.() !== 0)(
  "a repository around the folder has no say where it is another user's",
  async () => {
    const top = await temporaryFolder({ '.git/HEAD': '', '.git/info/exclude': '*.md\n', 'mine/a.md': '' });
    const folder = join(top, 'mine');
    expect((await readGitRules(folder, {})).repository).toBe(top);
    chownSync(top, 12_345, 12_345);
    expect(await readGitRules(folder, {})).toMatchObject({ repository: undefined, rules: [] });
  },
);
