import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import indexOnce from './index-once.ts';
import { modulesLoadedBy } from './loaded-modules.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('a process that finds nothing changed loads nothing that reads, cuts, cleans or watches a file, searches vectors, or shows an index', async () => {
  const folder = await temporaryFolder({ 'a.md': '# A\n\nSome text.\n', 'b.ts': 'export const b = 1;\n' });
  await indexOnce(folder);
  const modules = await modulesLoadedBy(fileURLToPath(new URL('./index-once.ts', import.meta.url)), folder);
  const loaded = (pattern: RegExp) => modules.filter((url) => pattern.test(url));
  expect(loaded(/\/src\/indexing\/run\.ts$/)).toHaveLength(1);
  expect(loaded(/\/src\/(secrets|runs\/upkeep)\//)).toEqual([]);
  expect(loaded(/\/(bounded-pool|recognition-pool)\.ts$|\/local\/watch\//)).toEqual([]);
  expect(loaded(/\/sqlite\/vectors\/(nearest|space-search)\.ts$/)).toEqual([]);
  expect(loaded(/\/src\/(indexing\/read-document|project\/disabled-project)\.ts$/)).toEqual([]);
  expect(loaded(/\/chunkers\/code\/(?!languages\.ts)|tree-sitter/)).toEqual([]);
});
