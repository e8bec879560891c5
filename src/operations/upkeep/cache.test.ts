import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import { openProject } from '../../project/open-project.ts';
import { loadRenderer } from '../../surfaces/cli/renderers.ts';
import { keptOutput } from '../../surfaces/cli/terminal/kept-output.fixture.ts';
import { loadOperations } from '../catalogue.ts';

const operations = await loadOperations();
const opened: Project[] = [];
let project: Project;

/** A project whose user has a cache folder of their own. */
async function openWithOwnCache(settings: Record<string, unknown> = {}): Promise<Project> {
  const cacheFolder = await temporaryFolder();
  const folder = await temporaryFolder({
    'docs/tea.md': '# Tea\n\nGreen tea is brewed at eighty degrees.',
    'docs/coffee.md': '# Coffee\n\nGround beans and water.',
  });
  const made = await openProject(folder, {
    settings: { 'embedder.driver': 'hashing', ...settings },
    environment: (name) => (name === 'QUARRY_CACHE_FOLDER' ? cacheFolder : undefined),
  });
  opened.push(made);
  return made;
}

beforeAll(async () => {
  project = await openWithOwnCache();
  for await (const _ of project.index());
});
afterAll(async () => {
  for (const each of opened) await each.close();
});

/** Runs an operation as a surface does, and returns its result with the lines that the command line shows. */
async function run(on: Project, name: string, input: object = {}) {
  const operation = operations.find((each) => each.name === `cache ${name}`);
  if (!operation) throw new TypeError(`There is no cache ${name}.`);
  const { value } = await operation.run(on, operation.input.parse(input), {}).next();
  const result = operation.output.parse(value);
  const { output, lines } = keptOutput();
  (await loadRenderer(operation.name)).render?.(result as never, output);
  return { result, lines };
}

test('stats show what indexing has left in the cache', async () => {
  const { result, lines } = await run(project, 'stats');
  expect(result).toMatchObject({
    file: join(project.cacheFolder, 'vectors.db'),
    entries: 2,
    limit: 2 ** 30,
    spaces: [{ name: 'hashing:64', dimensions: 64, entries: 2 }],
    damaged: 0,
  });
  expect(lines[0]).toBe(`2 vectors in ${join(project.cacheFolder, 'vectors.db')}`);
  expect(lines.at(-1)?.trim()).toBe('2  hashing:64, 64 dimensions');
});

test('what one user exports another imports, and clear removes it', async () => {
  const file = join(await temporaryFolder(), 'vectors.db');
  const { result, lines } = await run(project, 'export', { file });
  expect(result).toMatchObject({ file, entries: 2 });
  expect(lines).toEqual([`2 vectors exported to ${file} (0.0 MiB)`]);
  const other = await openWithOwnCache();
  expect((await run(other, 'import', { file })).lines).toEqual(['2 vectors added, 0 known, 0 left out']);
  expect((await run(other, 'import', { file })).result).toMatchObject({ added: 0, known: 2 });
  expect((await run(other, 'clear')).lines).toEqual(['2 vectors removed']);
  expect((await run(other, 'stats')).result).toMatchObject({ entries: 0 });
});

test('stats of a cache that was never used, or is turned off, are empty', async () => {
  const off = await openWithOwnCache({ 'cache.max_bytes': 0 });
  const { result, lines } = await run(off, 'stats');
  expect(result).toMatchObject({ entries: 0, bytes: 0, limit: 0 });
  expect(lines).toContain('on disk     0.0 MiB (turned off)');
});
