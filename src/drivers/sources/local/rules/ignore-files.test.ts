import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchTree, walk, writeTree } from '../scratch-tree.fixture.ts';

const fixture = { '.gitignore': 'x', 'a/keep.md': 'x', 'a/b/keep.md': 'x', 'a/b/drop.tmp': 'x' };

function repository(files: Readonly<Record<string, string>>): string {
  const folder = scratchTree(files);
  execFileSync('git', ['init', '-q', folder]);
  return folder;
}

describe('.gitignore', () => {
  test('names the file, the line and the text of the rule for each path left out', async () => {
    const folder = scratchTree({ ...fixture, '.gitignore': '# first\n\n*.tmp\n', 'a/.gitignore': 'b/\n' });
    const { files, reports } = await walk(folder);
    expect(files).toEqual(['.gitignore', 'a/.gitignore', 'a/keep.md']);
    expect(reports).toEqual(['a/b/ ignored a/.gitignore:1 b/']);
  });

  test('reports an ignored folder once, and nothing inside it can be taken back', async () => {
    const folder = scratchTree({ ...fixture, '.gitignore': '/a\n!a/keep.md\n' });
    const { files, reports } = await walk(folder);
    expect(files).toEqual(['.gitignore']);
    expect(reports).toEqual(['a/ ignored .gitignore:1 /a']);
  });

  test('lets a deeper file overrule a higher one', async () => {
    const folder = scratchTree({ ...fixture, '.gitignore': '*.tmp\n', 'a/b/.gitignore': '!drop.tmp\n' });
    expect((await walk(folder)).files).toContain('a/b/drop.tmp');
  });

  test('applies from the folders above the project, up to the root of the repository', async () => {
    const folder = repository({
      '.gitignore': '*.tmp\n/a/b/secret.md\n',
      'a/b/secret.md': 'x',
      'a/b/drop.tmp': 'x',
      'a/b/c.md': 'x',
    });
    const { files, reports } = await walk(join(folder, 'a', 'b'));
    expect(files).toEqual(['c.md']);
    expect(reports).toEqual([
      'drop.tmp ignored ../../.gitignore:1 *.tmp',
      'secret.md ignored ../../.gitignore:2 /a/b/secret.md',
    ]);
  });

  test('does not apply from above the root of the repository', async () => {
    const outer = scratchTree({ '.gitignore': '*.md\n', 'inner/a.md': 'x' });
    execFileSync('git', ['init', '-q', join(outer, 'inner')]);
    expect((await walk(join(outer, 'inner'))).files).toEqual(['a.md']);
  });

  test('is not read when the settings say so', async () => {
    const folder = scratchTree({ ...fixture, '.gitignore': '*.tmp\n', 'a/.quarryignore': 'keep.md\n' });
    const { files } = await walk(folder, { useGitignore: false });
    expect(files).toEqual(['.gitignore', 'a/.quarryignore', 'a/b/drop.tmp']);
  });

  test('is not read through a link, nor from a pipe', async () => {
    const folder = scratchTree({ 'rules.txt': '*.md\n', 'a/x.md': 'x', 'b/y.md': 'x' });
    symlinkSync('../rules.txt', join(folder, 'a', '.gitignore'));
    execFileSync('mkfifo', [join(folder, 'b', '.gitignore')]);
    const { files, reports } = await walk(folder);
    expect(files).toEqual(['rules.txt', 'a/x.md', 'b/y.md']);
    expect(reports).toEqual(['a/.gitignore not-a-file symbolic link', 'b/.gitignore not-a-file named pipe']);
  });

  test.skipIf(process.getuid?.() === 0)('that cannot be read keeps its folder out of the index', async () => {
    const folder = scratchTree({ 'a/.gitignore': 'private\n', 'a/private': 'x', 'b.md': 'x' });
    chmodSync(join(folder, 'a', '.gitignore'), 0);
    const { files, skipped } = await walk(folder);
    expect(files).toEqual(['b.md']);
    expect(skipped.map(({ uri, reason }) => [uri, reason])).toEqual([['a/', 'unreadable']]);
  });
});

describe('excludes outside the tree', () => {
  test('of .git/info/exclude apply below those of .gitignore', async () => {
    const folder = repository({ '.gitignore': '!kept.tmp\n', 'kept.tmp': 'x', 'dropped.tmp': 'x' });
    writeTree(folder, { '.git/info/exclude': '*.tmp\n' });
    const { files, reports } = await walk(folder);
    expect(files).toEqual(['.gitignore', 'kept.tmp']);
    expect(reports).toContain('dropped.tmp ignored .git/info/exclude:1 *.tmp');
  });

  test('are found through a worktree whose .git is a file', async () => {
    const folder = repository({ 'a.md': 'x' });
    writeTree(folder, {
      '.git/info/exclude': '*.tmp\n',
      '.git/worktrees/w/HEAD': 'x',
      '.git/worktrees/w/commondir': '../..\n',
    });
    const worktree = scratchTree({
      '.git': `gitdir: ${join(folder, '.git/worktrees/w')}\n`,
      'x.tmp': 'x',
      'b.md': 'x',
    });
    const { files, reports } = await walk(worktree);
    expect(files).toEqual(['b.md']);
    expect(reports).toEqual([".git version-control git's own data", 'x.tmp ignored .git/info/exclude:1']);
  });

  test.each<[what: string, tree: (elsewhere: string) => Record<string, string>, link?: string]>([
    [
      'core.excludesFile of .git/config',
      (elsewhere) => ({ '.git/config': `[core]\nexcludesFile = ${elsewhere}/info/exclude\n` }),
    ],
    ['a .git that is a file', (elsewhere) => ({ '.git': `gitdir: ${elsewhere}\n` })],
    ['.git/commondir', (elsewhere) => ({ '.git/commondir': `${elsewhere}\n` })],
    ['.git/info/exclude that is a link', () => ({}), 'info/exclude'],
  ])(
    'to which %s leads are followed, but none of their text is shown, and none of another user is read',
    async (_, tree, link) => {
      const elsewhere = scratchTree({ HEAD: 'x', 'info/exclude': '# mine\n*.tmp\n' });
      const files = tree(elsewhere);
      const folder = scratchTree({ ...(!files['.git'] && { '.git/HEAD': 'x' }), 'my.tmp': 'x', ...files });
      if (link !== undefined) {
        mkdirSync(dirname(join(folder, '.git', link)), { recursive: true });
        symlinkSync(join(elsewhere, link), join(folder, '.git', link));
      }
      const told = async () => (await walk(folder)).reports.filter((line) => line.startsWith('my.tmp'));
      expect(await told()).toEqual([expect.stringMatching(/^my\.tmp ignored \S+info\/exclude:2$/)]);
      if (process.getuid?.() !== 0) return;
      chownSync(join(elsewhere, 'info/exclude'), 12_345, 12_345);
      expect(await told()).toEqual([]);
    },
  );

  test.each([
    [
      'core.excludesFile of ~/.gitconfig',
      {
        '.gitconfig': '[user]\n\tname = x\n[Core]\n  excludesfile = "~/my ignore" ; mine\n',
        'my ignore': '*.tmp\n',
      },
      {},
      '~/my ignore:1 *.tmp',
    ],
    ['~/.config/git/ignore', { '.config/git/ignore': '\n*.tmp\n' }, {}, '~/.config/git/ignore:2 *.tmp'],
    [
      '$XDG_CONFIG_HOME/git/ignore',
      { 'xdg/git/ignore': '*.tmp\n', '.config/git/ignore': '*.md\n' },
      { XDG_CONFIG_HOME: 'xdg' },
      '~/xdg/git/ignore:1 *.tmp',
    ],
    [
      'core.excludesFile of $XDG_CONFIG_HOME/git/config',
      { 'xdg/git/config': '[core]\nexcludesFile=~/other\n', other: '*.tmp\n' },
      { XDG_CONFIG_HOME: 'xdg' },
      '~/other:1 *.tmp',
    ],
    [
      'the file that GIT_CONFIG_GLOBAL names',
      {
        named: '[core]\nexcludesFile=~/other\n',
        other: '*.tmp\n',
        '.gitconfig': '[core]\nexcludesFile=~/none',
      },
      { GIT_CONFIG_GLOBAL: 'named' },
      '~/other:1 *.tmp',
    ],
  ])('of the user come from %s', async (_title, home, variables, rule) => {
    const userHome = scratchTree(home);
    const folder = scratchTree({ 'a.md': 'x', 'b.tmp': 'x' });
    const environment = (name: string) => {
      const value = Object.entries(variables).find(([key]) => key === name)?.[1];
      return value === undefined ? undefined : join(userHome, value);
    };
    const { files, reports } = await walk(folder, { home: userHome, environment });
    expect(files).toEqual(['a.md']);
    expect(reports).toEqual([`b.tmp ignored ${rule}`]);
  });
});

describe('.quarryignore and the settings', () => {
  test('.quarryignore takes back what .gitignore ignores, even from a higher folder', async () => {
    const folder = scratchTree({ '.quarryignore': '!*.tmp\n', 'a/.gitignore': '*.tmp\n', 'a/x.tmp': 'x' });
    expect((await walk(folder)).files).toContain('a/x.tmp');
  });

  test('.quarryignore of a deeper folder overrules that of a higher one', async () => {
    const folder = scratchTree({
      '.quarryignore': '*.md\n',
      'a/.quarryignore': '!x.md\n',
      'a/x.md': 'x',
      'y.md': 'x',
    });
    const { files, reports } = await walk(folder);
    expect(files).toEqual(['.quarryignore', 'a/.quarryignore', 'a/x.md']);
    expect(reports).toEqual(['y.md ignored .quarryignore:1 *.md']);
  });

  test('exclude patterns have the last word, in both directions', async () => {
    const folder = scratchTree({ '.quarryignore': '*.tmp\n!b.txt\n', 'a.tmp': 'x', 'b.txt': 'x' });
    const { files, reports } = await walk(folder, { exclude: ['*.txt', '!a.tmp'] });
    expect(files).toEqual(['.quarryignore', 'a.tmp']);
    expect(reports).toEqual(['b.txt ignored exclude *.txt']);
  });

  test('include globs admit only what they name and spare whole folders that cannot hold it', async () => {
    const folder = scratchTree({ 'docs/a/b.md': 'x', 'docs/c.txt': 'x', 'src/d.md': 'x', 'other/e.md': 'x' });
    mkdirSync(join(folder, 'docs', 'empty'));
    const { files, reports } = await walk(folder, { include: ['docs/**/*.md', 'src/d.md'] });
    expect(files).toEqual(['docs/a/b.md', 'src/d.md']);
    expect(reports.sort()).toEqual([
      'docs/c.txt ignored no include pattern matches',
      'other/ ignored no include pattern matches',
    ]);
    expect((await walk(folder, { include: ['*.md'] })).files).toEqual([
      'docs/a/b.md',
      'other/e.md',
      'src/d.md',
    ]);
    expect((await walk(folder, { include: ['src'] })).files).toEqual(['src/d.md']);
  });
});
