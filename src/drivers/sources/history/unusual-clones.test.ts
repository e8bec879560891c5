import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchTree } from '../local/scratch-tree.fixture.ts';
import {
  commitsIn,
  entriesOf,
  gitIn,
  historyOf,
  type ScratchRepository,
  scratchRepository,
  textOf,
} from './scratch-repository.fixture.ts';

const refusal = (why: RegExp, remedy = /./) => [
  {
    trouble: {
      error: {
        code: 'file-unreadable',
        message: expect.stringMatching(why),
        remedy: expect.stringMatching(remedy),
      },
    },
  },
];

/** A repository with two commits. */
function twoCommits(): ScratchRepository {
  const repository = scratchRepository();
  repository.commit('First', { 'a.txt': 'one\n' });
  repository.commit('Second', { 'a.txt': 'two\n' });
  return repository;
}

describe('a clone of an unusual kind is read like any other', () => {
  test('a submodule, a worktree with relative ways within its repository, and a commit without a branch', async () => {
    const inner = twoCommits();
    const outer = twoCommits();
    outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.folder, 'parts/inner');
    expect(await commitsIn(historyOf(join(outer.folder, 'parts', 'inner')))).toHaveLength(2);
    const tree = join(outer.folder, '.trees', 'side');
    outer.git('worktree', 'add', '-q', tree, '-b', 'feature/with/a-long-name');
    gitIn(tree, ['commit', '-q', '--allow-empty', '-m', 'Third']);
    expect(await commitsIn(historyOf(tree))).toHaveLength(3);
    const own = join(outer.folder, '.git', 'worktrees', 'side');
    writeFileSync(join(tree, '.git'), `gitdir: ${relative(tree, own)}\n`);
    writeFileSync(join(own, 'gitdir'), `${relative(own, join(tree, '.git'))}\n`);
    expect(await commitsIn(historyOf(tree))).toHaveLength(3);
    outer.git('checkout', '-q', '--detach', 'HEAD~1');
    expect(await commitsIn(historyOf(outer.folder))).toHaveLength(1);
  });

  test('one whose hashes have 256 bits', async () => {
    const folder = scratchTree({});
    gitIn(folder, ['init', '-q', '-b', 'main', '--object-format=sha256']);
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    gitIn(folder, ['add', 'a.txt']);
    gitIn(folder, ['commit', '-q', '-m', 'First']);
    const hash = gitIn(folder, ['rev-parse', 'HEAD']).trim();
    expect(hash).toHaveLength(64);
    expect(await textOf(historyOf(folder), hash)).toContain('First\n\nFiles:\nA a.txt (+1 -0)');
  });

  test('one that lacks older content says what is missing of a commit', async () => {
    const source = twoCommits();
    source.git('config', 'uploadpack.allowFilter', 'true');
    const clone = join(scratchTree({}), 'clone');
    gitIn(source.folder, ['clone', '-q', '--filter=blob:none', `file://${source.folder}`, clone]);
    const [, first = ''] = await commitsIn(historyOf(clone));
    const history = historyOf(clone);
    await commitsIn(history);
    expect(Buffer.from(await history.read(first)).toString()).toMatch(
      /^Missing: [\s\S]*First\n\nFiles:\nA a\.txt/m,
    );
  });

  test('a folder without a working tree is no clone', async () => {
    const bare = join(scratchTree({}), 'bare.git');
    gitIn(twoCommits().folder, ['clone', '-q', '--bare', '.', bare]);
    expect(await entriesOf(historyOf(bare))).toMatchObject([
      { skipped: { rule: 'there is no git repository around this folder' } },
    ]);
  });
});

describe('what may show another repository is refused, with its reason', () => {
  test('a clone that borrows objects; the remedy that it names helps', async () => {
    const source = twoCommits();
    const clone = join(scratchTree({}), 'clone');
    gitIn(source.folder, ['clone', '-q', '--shared', '.', clone]);
    expect(await entriesOf(historyOf(clone))).toMatchObject(
      refusal(/borrows objects/, /git repack -ad.*objects\/info\/alternates/),
    );
    gitIn(clone, ['repack', '-adq']);
    rmSync(join(clone, '.git', 'objects', 'info', 'alternates'));
    expect(await commitsIn(historyOf(clone))).toHaveLength(2);
  });

  test('a folder for objects, a pack of them or their list that is a link, and a folder of git that names nobody', async () => {
    const own = twoCommits();
    own.git('gc', '-q');
    const packs = join(own.folder, '.git', 'objects', 'pack');
    const linkTo = (make: (objects: string) => void): ScratchRepository => {
      const stranger = twoCommits();
      make(join(stranger.folder, '.git', 'objects'));
      return stranger;
    };
    const cases = [
      linkTo((objects) => {
        rmSync(join(objects, 'pack'), { recursive: true });
        symlinkSync(packs, join(objects, 'pack'));
      }),
      linkTo((objects) => {
        for (const name of readdirSync(packs)) symlinkSync(join(packs, name), join(objects, 'pack', name));
      }),
      linkTo((objects) => symlinkSync(join(own.folder, '.git', 'objects', 'aa'), join(objects, 'aa'))),
      linkTo((objects) => {
        rmSync(join(objects, 'info'), { recursive: true });
        symlinkSync(join(own.folder, '.git', 'objects', 'info'), join(objects, 'info'));
      }),
    ];
    for (const { folder } of cases)
      expect(await entriesOf(historyOf(folder))).toMatchObject(refusal(/is a link/, /clone it again/));
    const apart = scratchTree({});
    gitIn(apart, ['init', '-q', '--separate-git-dir', join(scratchTree({}), 'git')]);
    expect(await entriesOf(historyOf(apart))).toMatchObject(refusal(/knows nothing of this folder/));
  });

  test.skipIf(process.getuid?.() !== 0)('one that belongs to another user', async () => {
    const repository = twoCommits();
    chownSync(join(repository.folder, '.git', 'objects'), 65_534, 65_534);
    expect(await entriesOf(historyOf(repository.folder))).toMatchObject(refusal(/belongs to another user/));
  });
});

test('a commit whose folders name each other thousands of times is kept by its message', async () => {
  const repository = twoCommits();
  const git = (words: string[], input: string) =>
    execFileSync('git', words, { cwd: repository.folder, input, encoding: 'utf8' }).trim();
  let tree = git(['mktree'], `100644 blob ${git(['hash-object', '-w', '--stdin'], 'x\n')}\tfile.txt\n`);
  // Ten thousand files, in CI a hundred thousand: what is read of a commit ends long before.
  for (let depth = 0; depth < (process.env.CI ? 5 : 4); depth += 1)
    tree = git(['mktree'], Array.from({ length: 10 }, (_, at) => `040000 tree ${tree}\td${at}\n`).join(''));
  const bomb = repository.git('commit-tree', tree, '-p', 'HEAD', '-m', 'All the files').trim();
  writeFileSync(join(repository.folder, '.git', 'refs', 'heads', 'main'), `${bomb}\n`);
  const text = await textOf(historyOf(repository.folder), bomb);
  expect(text).toContain('All the files');
  expect(text.length).toBeLessThan(2 ** 20);
  expect(text).toMatch(/^(?:Missing|In part): /m);
}, 120_000);

test('a name of a branch leads nowhere outside of its folder', async () => {
  const other = twoCommits();
  const repository = twoCommits();
  const dotGit = join(repository.folder, '.git');
  mkdirSync(join(dotGit, 'refs', 'heads', 'x'), { recursive: true });
  const way = relative(
    join(dotGit, 'refs', 'heads', 'x'),
    join(other.folder, '.git', 'refs', 'heads', 'main'),
  );
  for (const name of [`refs/heads/x/${way}`, '../../../../etc/passwd', '/etc/passwd']) {
    writeFileSync(join(dotGit, 'HEAD'), `ref: ${name}\n`);
    expect(await entriesOf(historyOf(repository.folder))).toMatchObject([
      { skipped: { rule: 'no commit yet' } },
    ]);
  }
  expect(readFileSync(join(other.folder, '.git', 'refs', 'heads', 'main'), 'utf8')).toMatch(/^[0-9a-f]{40}/);
});
