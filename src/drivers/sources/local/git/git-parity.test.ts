import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../../../../test/property-draws.ts';
import { scratchTree, walk, writeTree } from '../scratch-tree.fixture.ts';

const names = [
  ...[
    'a',
    'b',
    'ab',
    'abc',
    'foo',
    'bar',
    'foobar',
    'x.js',
    'y.js',
    'x.min.js',
    'A',
    'FOO',
    '.hidden',
    'a-b',
    'a]',
  ],
  ...[
    'with space',
    'end ',
    '[a]',
    '#hash',
    '!bang',
    'back\\slash',
    'é',
    'naïve.txt',
    '日本',
    '*',
    'a?',
    'a\tb',
    '{a,b}',
  ],
];
const pieces = [
  ...[
    'a',
    'b',
    'ab',
    'abc',
    'foo',
    'bar',
    'x.js',
    '.js',
    'é',
    ' ',
    '\\ ',
    '#',
    '\\#',
    '!',
    '\\!',
    '\\',
    '\\\\',
    '\t',
  ],
  ...[
    '*',
    '*',
    '*',
    '**',
    '***',
    '?',
    '/',
    '/',
    '/',
    '**/',
    '/**',
    '/**/',
    '[a]',
    '[!a]',
    '[^ab]',
    '[a-c]',
    '[]a]',
  ],
  ...[
    '[[:alpha:]]',
    '[[:upper:]]',
    '[[:punct:]]',
    '[[:bad:]]',
    '[a',
    ']',
    '[\\]]',
    '[a\\-z]',
    '[+--]',
    '[é]',
    '\\*',
  ],
  ...['\\/', '{a,b}', '-', '.', '\\[a]', '[[:digit:]x]', '[a/b]', '\r'],
];

const pathArbitrary = fc
  .array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'));
const lineArbitrary = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
  fc.constantFrom(...names),
  fc.constantFrom(...names).map((name) => `${name}/`),
  fc.constantFrom(...names).map((name) => `/${name}`),
  pathArbitrary,
);
const ignoreFileArbitrary = fc
  .array(fc.tuple(fc.boolean(), fc.boolean(), lineArbitrary), { minLength: 1, maxLength: 6 })
  .map((lines) => lines.map(([negated, folder, line]) => `${negated ? '!' : ''}${line}${folder ? '/' : ''}`))
  .chain((lines) => fc.constantFrom('\n', '\n', '\r\n').map((end) => lines.join(end)));
const treeArbitrary = fc.record({
  paths: fc.array(pathArbitrary, { minLength: 3, maxLength: 25 }),
  ignoreFiles: fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), ignoreFileArbitrary), {
    minLength: 1,
    maxLength: 4,
  }),
  exclude: ignoreFileArbitrary,
  global: ignoreFileArbitrary,
  ignoreCase: fc.boolean(),
});
type Tree = typeof treeArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** Writes what can be written: a path may need a folder where another one has put a file. */
function build(folder: string, tree: Tree): void {
  const folders = new Set(['']);
  for (const path of tree.paths) {
    try {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), 'text', { flag: 'wx' });
      for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.add(at);
    } catch {}
  }
  const places = [...folders];
  for (const [place, depth, text] of tree.ignoreFiles) {
    const chosen = depth === 0 ? '' : (places[place % places.length] ?? '');
    writeFileSync(join(folder, chosen, '.gitignore'), text);
  }
  writeFileSync(join(folder, '.git', 'info', 'exclude'), tree.exclude);
}

// `env` sets what must not come from the machine the tests run on, and leaves the rest of the environment alone.
function git(folder: string, home: string, ...args: string[]): string {
  const settings = [`HOME=${home}`, 'GIT_CONFIG_NOSYSTEM=1', `GIT_CONFIG_GLOBAL=${join(home, '.gitconfig')}`];
  return execFileSync('env', ['-u', 'XDG_CONFIG_HOME', ...settings, 'git', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
}

function listedByGit(folder: string, home: string): string[] {
  const listed = git(folder, home, 'ls-files', '--others', '--cached', '--exclude-standard', '-z');
  return listed
    .split('\0')
    .filter((path) => path !== '')
    .sort();
}

test('finds the very files that git lists, whatever the names and the rules', async () => {
  const fresh = mkdtempSync(join(tmpdir(), 'quarry-parity-fresh-'));
  git(fresh, fresh, 'init', '-q');
  await fc.assert(
    fc.asyncProperty(treeArbitrary, async (tree) => {
      const base = mkdtempSync(join(tmpdir(), 'quarry-parity-'));
      try {
        const folder = join(base, 'tree');
        writeTree(base, {
          'home/.gitconfig': '[core]\n\texcludesFile = ~/excludes\n',
          'home/excludes': tree.global,
        });
        cpSync(fresh, folder, { recursive: true });
        appendFileSync(join(folder, '.git', 'config'), `[core]\n\tignorecase = ${tree.ignoreCase}\n`);
        build(folder, tree);
        const { files } = await walk(folder, { defaultSkips: false, home: join(base, 'home') });
        expect(files.sort()).toEqual(listedByGit(folder, join(base, 'home')));
      } finally {
        rmSync(base, { recursive: true, force: true });
      }
    }),
    // A failure prints its seed and path; given here, they repeat it.
    { numRuns: draws(60) },
  );
});

const rulesFromTheManual = `
# comment
\\#not-a-comment
\\!important
*.log
!keep.log
/anchored
deep/only/here
folder/
**/any/depth
start/**
mid/**/end
lib**/x
trailing\\ \x20\x20
[a-c]lass
w?ld
spaced\x20\x20\x20
`;

test('reads every form of pattern in git’s manual as git does', async () => {
  const paths = [
    ...['#not-a-comment', '!important', 'a.log', 'keep.log', 'sub/keep.log', 'anchored', 'sub/anchored'],
    ...[
      'deep/only/here',
      'sub/deep/only/here',
      'folder/x',
      'sub/folder/x',
      'file/folder',
      'any/depth',
      's/any/depth',
    ],
    ...[
      'start/a',
      'start/b/c',
      'mid/end',
      'mid/a/end',
      'mid/a/b/end',
      'mid/ended',
      'lib/x',
      'liberty/x',
      'lib/a/x',
    ],
    ...['trailing ', 'trailing', 'blass', 'dlass', 'wild', 'woild', 'spaced', 'spaced ', 'plain/text'],
  ];
  const folder = scratchTree(Object.fromEntries(paths.map((path) => [path, 'text'])));
  writeTree(folder, { '.gitignore': rulesFromTheManual });
  git(folder, folder, 'init', '-q');
  const { files } = await walk(folder, { defaultSkips: false });
  expect(files.sort()).toEqual(listedByGit(folder, folder));
  expect(files).toContain('keep.log');
  expect(files).not.toContain('#not-a-comment');
});
