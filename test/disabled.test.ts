import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openProject } from '../src/index.ts';
import { temporaryFolder } from '../src/testing/temporary-folder.ts';
import { modulesLoadedBy } from './loaded-modules.ts';

const useProject = fileURLToPath(new URL('./use-disabled-project.ts', import.meta.url));

test.each(['enabled = false', '[rag]\nenabled = false'])(
  '%j: every call is a no-op and nothing is loaded',
  async (toml) => {
    const folder = await temporaryFolder({ 'quarry.toml': toml, 'a.md': '# A\n\ntext' });
    const modules = await modulesLoadedBy(useProject, folder);
    const loaded = (pattern: RegExp) => modules.filter((url) => pattern.test(url));
    expect(loaded(/\/src\/project\/open-project\.ts$/)).toHaveLength(1);
    const tables = /\/src\/(drivers\/manifest|indexing\/watching\/watch-timing)\.ts$/;
    // Settings and options are checked against two tables of names, which load nothing themselves.
    expect(loaded(/\/src\/(drivers|indexing|retrieval)\//).filter((url) => !tables.test(url))).toEqual([]);
    expect(loaded(/node:sqlite|onnxruntime|tree-sitter/)).toEqual([]);
    expect(existsSync(join(folder, '.quarry'))).toBe(false);
  },
);

test('asking a disabled project for its store says how to enable it', async () => {
  const project = await openProject(await temporaryFolder({ 'quarry.toml': 'enabled = false' }));
  await expect(project.store()).rejects.toMatchObject({
    code: 'project-disabled',
    remedy: 'Set enabled = true in quarry.toml.',
  });
});
