import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { openProject } from '../project/open-project.ts';
import type { Project } from '../project/project.ts';
import type { Output } from '../surfaces/cli/output.ts';
import { renderCache } from '../surfaces/cli/render/cache.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { cacheOperation } from './cache.ts';

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

/** Runs the operation as a surface does, and returns its result with the lines that the command line shows. */
async function run(on: Project, input: z.input<typeof cacheOperation.input>) {
  const { value } = await cacheOperation.run(on, cacheOperation.input.parse(input), {}).next();
  const result = cacheOperation.output.parse(value);
  const lines: string[] = [];
  const line = (text: string): void => void lines.push(text);
  const style: Output['style'] = (_, text) => text;
  renderCache(result, { result: line, note: line, status() {}, style, styleNote: style, live: false });
  return { result, lines };
}

test('stats tell what indexing has left in the cache', async () => {
  const { result, lines } = await run(project, {});
  expect(result).toMatchObject({
    action: 'stats',
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
  const file = join(await temporaryFolder(), 'vectors.qv');
  const { result, lines } = await run(project, { action: 'export', file });
  expect(result).toMatchObject({ action: 'export', file, entries: 2 });
  expect(lines).toEqual([`2 vectors exported to ${file} (0.0 MiB)`]);
  const other = await openWithOwnCache();
  expect((await run(other, { action: 'import', file })).lines).toEqual([
    '2 vectors added, 0 known, 0 left out',
  ]);
  expect((await run(other, { action: 'import', file })).result).toMatchObject({ added: 0, known: 2 });
  expect((await run(other, { action: 'clear' })).lines).toEqual(['2 vectors removed']);
  expect((await run(other, { action: 'stats' })).result).toMatchObject({ entries: 0 });
});

test('stats of a cache that was never used, or is turned off, are empty', async () => {
  const off = await openWithOwnCache({ 'cache.max_bytes': 0 });
  const { result, lines } = await run(off, { action: 'stats' });
  expect(result).toMatchObject({ entries: 0, bytes: 0, limit: 0 });
  expect(lines).toContain('on disk     0.0 MiB (turned off)');
});

test.each([
  { action: 'export' },
  { action: 'import' },
  { action: 'clear', file: 'x' },
  { action: 'stats', file: 'x' },
] as const)('$action asks for a file where it needs one, and only there', async (input) => {
  await expect(run(project, input)).rejects.toMatchObject({ code: 'usage-invalid' });
});
