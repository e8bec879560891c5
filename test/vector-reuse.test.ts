import { execFileSync } from 'node:child_process';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { IndexSummary } from '../src/core/index-summary.ts';
import { openProject } from '../src/project/open-project.ts';
import { temporaryFolder } from './temporary-folder.ts';

let home: string;
let repository: string;

const git = (folder: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
    cwd: folder,
    stdio: 'pipe',
  });

/** Indexes a folder as this user, whose cache lies in their home, and tells what was done for its chunks. */
async function index(
  folder: string,
  settings: Record<string, unknown> = {},
): Promise<IndexSummary['chunks']> {
  const project = await openProject(folder, {
    settings: { 'embedder.driver': 'hashing', 'resources.threads': 1, ...settings },
    environment: (name) => ({ HOME: home, QUARRY_CACHE_FOLDER: join(home, 'cache') })[name],
  });
  let summary: IndexSummary | undefined;
  for await (const event of project.index()) if (event.type === 'index-end') summary = event.summary;
  await project.close();
  if (!summary) throw new Error('no summary');
  return summary.chunks;
}

const page = (topic: string) =>
  `# ${topic}\n\n${`The page about ${topic} explains ${topic} at length, with words of its own. `.repeat(8)}\n`;

beforeEach(async () => {
  home = await temporaryFolder();
  repository = await temporaryFolder({
    'docs/apples.md': page('apples'),
    'docs/pears.md': page('pears'),
    'notes/plums.md': page('plums'),
  });
  git(repository, 'init', '--quiet', '--initial-branch=main');
  git(repository, 'add', '.');
  git(repository, 'commit', '--quiet', '-m', 'fruit');
});

describe('nothing is embedded twice', () => {
  test('when the index is deleted and made again', async () => {
    const first = await index(repository);
    expect(first).toMatchObject({ embedded: 3, cached: 0, pending: 0 });
    await rm(join(repository, '.quarry'), { recursive: true });
    expect(await index(repository)).toMatchObject({ total: 3, embedded: 0, cached: 3, pending: 0 });
  });

  test('when a folder is renamed', async () => {
    await index(repository);
    git(repository, 'mv', 'docs', 'handbook');
    expect(await index(repository)).toMatchObject({ total: 3, embedded: 0, pending: 0 });
  });

  test('when the project itself moves', async () => {
    await index(repository);
    const moved = `${repository}-moved`;
    await rename(repository, moved);
    await rm(join(moved, '.quarry'), { recursive: true });
    expect(await index(moved)).toMatchObject({ total: 3, embedded: 0, cached: 3 });
  });

  test('when branches are switched: only new text is', async () => {
    await index(repository);
    git(repository, 'switch', '--quiet', '-c', 'feature');
    await writeFile(join(repository, 'docs/apples.md'), page('quinces'));
    git(repository, 'commit', '--quiet', '-am', 'quinces');
    expect(await index(repository)).toMatchObject({ embedded: 1, pending: 0 });
    git(repository, 'switch', '--quiet', 'main');
    expect(await index(repository)).toMatchObject({ embedded: 0, cached: 1, pending: 0 });
    git(repository, 'switch', '--quiet', 'feature');
    expect(await index(repository)).toMatchObject({ embedded: 0, cached: 1, pending: 0 });
  });

  test('when a worktree is added: only its new text is', async () => {
    await index(repository);
    const worktree = join(await temporaryFolder(), 'worktree');
    git(repository, 'worktree', 'add', '--quiet', '-b', 'side', worktree);
    expect(await index(worktree)).toMatchObject({ total: 3, embedded: 0, cached: 3 });
    await writeFile(join(worktree, 'docs/medlars.md'), page('medlars'));
    expect(await index(worktree)).toMatchObject({ total: 4, embedded: 1 });
  });

  test('when another model is tried and the first one comes back', async () => {
    await index(repository);
    expect(await index(repository, { 'embedder.driver': 'local' })).toMatchObject({ embedded: 3 });
    await rm(join(repository, '.quarry'), { recursive: true });
    expect(await index(repository)).toMatchObject({ embedded: 0, cached: 3 });
  });
});

test('with the cache turned off everything is made again', async () => {
  const off = { 'cache.max_bytes': 0 };
  await index(repository, off);
  await rm(join(repository, '.quarry'), { recursive: true });
  expect(await index(repository, off)).toMatchObject({ embedded: 3, cached: 0 });
});
