import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchTree } from '../local/scratch-tree.fixture.ts';
import {
  commitsIn,
  entriesOf,
  environmentOf,
  gitIn,
  historyOf,
  scratchRepository,
  textOf,
} from './scratch-repository.fixture.ts';

test('a commit is its author, date, message, files and changes, also after a rename, a merge and odd names', async () => {
  const repository = scratchRepository();
  const first = repository.commit('Start\n\nBecause it must begin.', {
    'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n',
    'odd "näme"\t.txt': 'x\n',
  });
  repository.git('mv', 'a.txt', 'b.txt');
  const second = repository.commit('Move it', {
    'logo.xyz': Buffer.from([0, 1, 2, 0]),
    'b.txt': 'one\nTWO\nthree\nfour\nfive\nsix\n',
  });
  repository.git('checkout', '-q', '-b', 'side', 'HEAD~1');
  repository.commit('Side', { 'side.txt': 'side\n' });
  repository.git('checkout', '-q', 'main');
  repository.git('merge', '-q', '--no-ff', '-m', 'Merge side', 'side');
  const merge = repository.git('rev-parse', 'HEAD').trim();
  const silent = repository.commit('', {});
  const history = historyOf(repository.folder);

  expect(await commitsIn(history)).toHaveLength(5);
  expect(await textOf(history, first)).toBe(
    `commit ${first}\nAuthor: Ada Lovelace <ada@example.com>\nDate: 2023-11-14T23:13:20Z\n\n` +
      'Start\n\nBecause it must begin.\n\nFiles:\nA a.txt (+6 -0)\nA odd "näme"\uFFFD.txt (+1 -0)\n\n' +
      'diff a.txt\n@@ -0,0 +1,6 @@\n+one\n+two\n+three\n+four\n+five\n+six\n\n' +
      'diff odd "näme"\uFFFD.txt\n@@ -0,0 +1 @@\n+x',
  );
  const moved = await textOf(history, second);
  expect(moved).toContain(
    'R a.txt => b.txt (+1 -1)\nA logo.xyz (binary)\n\ndiff a.txt => b.txt\n@@ -1,3 +1,3 @@',
  );
  expect(moved).toContain('-two\n+TWO');
  expect(await textOf(history, merge)).toMatch(/^Merge: [0-9a-f]{12} [0-9a-f]{12}\n\nMerge side$/m);
  expect(await textOf(history, silent)).toMatch(/^commit .*\nAuthor: .*\nDate: .*$/);
});

test('only what is new is listed again, and what was written again is gone', async () => {
  const repository = scratchRepository();
  repository.commit('One', { 'a.txt': '1\n' });
  const second = repository.commit('Two', { 'a.txt': '2\n' });
  const history = historyOf(repository.folder);
  const before = await entriesOf(history);
  expect(await entriesOf(history)).toEqual(before);
  repository.git('commit', '-q', '--amend', '-m', 'Two, said better');
  const after = await entriesOf(history);
  expect(after[1]).toEqual(before[1]);
  expect(await commitsIn(history)).not.toContain(`commit:${second.slice(0, 12)}`);
  await expect(history.read(`commit:${second.slice(0, 12)}`)).rejects.toMatchObject({
    cause: { code: 'ENOENT' },
  });
});

test('the depth has a bound, and that of a shallow clone is said', async () => {
  const repository = scratchRepository();
  for (const name of ['One', 'Two', 'Three']) repository.commit(name, { 'a.txt': `${name}\n` });
  expect(await entriesOf(historyOf(repository.folder, { commits: 2 }))).toMatchObject([
    { kind: 'file' },
    { kind: 'file' },
    { skipped: { reason: 'too-old', rule: 'older than the latest 2 commits (history.commits)' } },
  ]);
  const clone = join(scratchTree({}), 'clone');
  gitIn(repository.folder, ['clone', '-q', '--depth', '1', `file://${repository.folder}`, clone]);
  const shallow = historyOf(clone);
  expect(await entriesOf(shallow)).toMatchObject([
    { kind: 'file' },
    { skipped: { reason: 'too-old', rule: expect.stringContaining('shallow') } },
  ]);
  const [uri = ''] = await commitsIn(shallow);
  expect(Buffer.from(await shallow.read(uri)).toString()).toContain('Three\n\nFiles:\nA a.txt');
});

test('a worktree, packed branches and a folder within the repository are read', async () => {
  const repository = scratchRepository();
  repository.commit('Outside', { 'top.txt': 'x\n' });
  const inside = repository.commit('Both', { 'top.txt': 'y\n', 'sub/deep/in.txt': 'x\n' });
  repository.git('pack-refs', '--all');
  repository.git('gc', '-q');
  const history = historyOf(join(repository.folder, 'sub'));
  expect(await commitsIn(history)).toEqual([`commit:${inside.slice(0, 12)}`]);
  const text = await textOf(history, inside);
  expect(text).toContain('Files:\nA deep/in.txt (+1 -0)');
  expect(text).not.toContain('top.txt');
  const tree = join(scratchTree({}), 'tree');
  repository.git('worktree', 'add', '-q', tree, '-b', 'other');
  expect(await commitsIn(historyOf(tree))).toHaveLength(2);
});

test('where there is no repository, no commit and no git it says so', async () => {
  expect(await entriesOf(historyOf(scratchTree({})))).toMatchObject([
    { skipped: { reason: 'empty', rule: 'there is no git repository around this folder' } },
  ]);
  const repository = scratchRepository();
  expect(await entriesOf(historyOf(repository.folder))).toMatchObject([
    { skipped: { reason: 'empty', rule: 'no commit yet' } },
  ]);
  const environment = environmentOf({ PATH: scratchTree({}) });
  const [entry] = await entriesOf(historyOf(repository.folder, { environment }));
  expect(entry).toMatchObject({ trouble: { error: { code: 'file-unreadable' } } });
  // What was indexed before stays.
  expect(entry?.kind === 'skipped' && entry.trouble?.holds('commit:0123456789ab')).toBe(true);
});

test('a commit that is too large is kept in part, and says so', async () => {
  const repository = scratchRepository();
  const lines = Array.from({ length: 30_000 }, (_, at) => `line ${at}`).join('\n');
  const hash = repository.commit('Much', {
    'much.txt': lines,
    'small.txt': 'small\n',
    'huge.txt': `${'x'.repeat(99)}\n`.repeat(25_000),
  });
  const text = await textOf(historyOf(repository.folder), hash);
  expect(text.length).toBeLessThan(10_000);
  expect(text).toContain(`In part: the rest is shown by git show ${hash.slice(0, 12)}`);
  expect(text).toContain('A huge.txt (binary)\nA much.txt (+30000 -0)\nA small.txt (+1 -0)');
  expect(text).toMatch(/\n\(\d+ more lines\)\n\ndiff small.txt\n@@ -0,0 \+1 @@\n\+small$/);
});

test('what is left out today is left out of commits too, and a new rule has each read again', async () => {
  const repository = scratchRepository();
  const hash = repository.commit('Keys', {
    '.env': 'TOKEN=of-long-ago\n',
    'private/plan.md': 'the plan\n',
    'seen.md': 'seen\n',
  });
  repository.git('mv', '.env', 'settings.txt');
  const moved = repository.commit('Open it', {});
  const history = historyOf(repository.folder);
  const text = await textOf(history, hash);
  expect(text).toContain('Files:\nA private/plan.md (+1 -0)\nA seen.md (+1 -0)\n1 left out by a rule');
  expect(text).not.toContain('of-long-ago');
  expect(await textOf(history, moved)).not.toMatch(/of-long-ago|settings\.txt/);
  writeFileSync(join(repository.folder, '.quarryignore'), 'private/\n');
  const [before] = await entriesOf(history, 'rules of before');
  const [after] = await entriesOf(history, 'rules of now');
  expect(before).not.toEqual(after);
  expect(await textOf(history, hash)).not.toContain('plan');
  rmSync(join(repository.folder, '.quarryignore'));
  mkdirSync(join(repository.folder, 'private'), { recursive: true });
  writeFileSync(join(repository.folder, 'private', '.gitignore'), '*\n');
  expect(await textOf(history, hash)).not.toContain('plan');
});
