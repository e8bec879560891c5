import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChangeHint } from '../../../../contracts/source.ts';
import type { LocalSourceOptions } from '../local-source-options.ts';
import { resolveRoots } from '../roots.ts';
import { scratchTree, writeTree } from '../scratch-tree.fixture.ts';
import { prepareSurvey } from '../walk/survey.ts';
import { hintOf } from './folder-event.ts';
import { areLocal } from './local-mounts.ts';
import { createLocalWatch } from './local-watch.ts';
import { watchSingleFolders } from './single-folders.ts';

/** A watch whose hints a test can wait for; the text of a hint is its uri, or `everything`. */
function watchTree(root: string, more: Partial<LocalSourceOptions> & { readonly wholeTrees?: boolean } = {}) {
  const { wholeTrees, ...given } = more;
  const options: LocalSourceOptions = {
    root,
    include: [],
    exclude: [],
    maxFileBytes: () => 1_000_000,
    useGitignore: true,
    ...given,
  };
  const hints: string[] = [];
  let wake: (() => void) | undefined;
  const notice = (hint: ChangeHint): void => {
    hints.push(hint.kind === 'path' ? hint.uri : hint.kind);
    wake?.();
  };
  const watch = createLocalWatch({
    options,
    survey: prepareSurvey(options),
    resolveAgain: () => resolveRoots(root, options.roots ?? ['.']),
    notice,
    ...(wholeTrees !== undefined && { wholeTrees }),
  });
  onTestFinished(() => watch.close());
  const hinted = async (wanted: string): Promise<void> => {
    while (!hints.includes(wanted)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { watch, hints, hinted };
}

describe.each([
  { how: 'folder by folder', wholeTrees: false },
  { how: 'as a whole tree', wholeTrees: true },
])('a tree that is watched $how', ({ wholeTrees }) => {
  test('reports where something appeared, changed and disappeared', async () => {
    const root = scratchTree({ 'a.md': 'a', 'docs/b.md': 'b' });
    const { watch, hints, hinted } = watchTree(root, { wholeTrees });
    await watch.refresh();
    await writeFile(join(root, 'docs/b.md'), 'longer');
    await hinted('docs/b.md');
    await writeFile(join(root, 'new.md'), 'new');
    await hinted('new.md');
    hints.length = 0;
    await rm(join(root, 'a.md'));
    await hinted('a.md');
  });

  test('reports nothing of what the walk leaves out', async () => {
    const root = scratchTree({
      '.gitignore': 'out/\n',
      'out/x.md': 'x',
      'node_modules/m/i.js': 'i',
      'a.md': 'a',
    });
    const { watch, hints, hinted } = watchTree(root, { wholeTrees });
    await watch.refresh();
    writeTree(root, { 'out/x.md': 'changed', 'node_modules/m/i.js': 'changed', '.quarry/index': 'written' });
    await writeFile(join(root, 'a.md'), 'changed');
    await hinted('a.md');
    expect([...new Set(hints)].filter((hint) => hint !== '.quarry')).toEqual(['a.md']);
  });
});

describe('folders', () => {
  test('that are new are watched once they were looked at, with all below them', async () => {
    const root = scratchTree({ 'a.md': 'a' });
    const { watch, hints, hinted } = watchTree(root, { wholeTrees: false });
    await watch.refresh();
    await mkdir(join(root, 'x/y'), { recursive: true });
    await hinted('x');
    await watch.refresh({ only: ['x'] });
    hints.length = 0;
    await writeFile(join(root, 'x/y/z.md'), 'z');
    await hinted('x/y/z.md');
  });

  test('that moved go by their new name', async () => {
    const root = scratchTree({ 'one/a.md': 'a' });
    const { watch, hints, hinted } = watchTree(root, { wholeTrees: false });
    await watch.refresh();
    await rename(join(root, 'one'), join(root, 'two'));
    await hinted('two');
    await watch.refresh({ only: ['one', 'two'] });
    hints.length = 0;
    await writeFile(join(root, 'two/a.md'), 'changed');
    await hinted('two/a.md');
    expect(hints.every((hint) => hint.startsWith('two'))).toBe(true);
  });

  test('that were deleted and made again are watched as before', async () => {
    const root = scratchTree({ 'docs/a.md': 'a' });
    const { watch, hints, hinted } = watchTree(root, { wholeTrees: false });
    await watch.refresh();
    await rm(join(root, 'docs'), { recursive: true });
    await mkdir(join(root, 'docs'));
    await hinted('docs');
    await watch.refresh({ only: ['docs'] });
    hints.length = 0;
    await writeFile(join(root, 'docs/b.md'), 'b');
    await hinted('docs/b.md');
  });

  test('that the system refuses to watch are counted', () => {
    const folders = watchSingleFolders(() => {});
    onTestFinished(() => folders.close());
    folders.begin();
    folders.visit({ absolute: join(scratchTree({}), 'gone'), uri: 'gone/', isRoot: false });
    expect(folders.end(undefined)).toBeUndefined();
    folders.begin();
    folders.visit({ absolute: `/${'long'.repeat(3000)}`, uri: 'long/', isRoot: false });
    expect(folders.end(undefined)).toMatchObject({ folders: 1 });
  });
});

describe('what no event reports', () => {
  test('is found by looking: excludes, ignore files above, the branch, roots that come and go', async () => {
    const root = scratchTree({
      '.git/HEAD': 'ref: refs/heads/main\n',
      'inner/docs/a.md': 'a',
      'home/.config/git/ignore': '',
    });
    const project = join(root, 'inner');
    const { watch, hints } = watchTree(project, { roots: ['docs'], home: join(root, 'home') });
    await watch.refresh();
    const isTold = async (): Promise<boolean> => {
      hints.length = 0;
      await watch.poll();
      return hints.includes('everything');
    };
    expect(await isTold()).toBe(false);
    const changes = {
      '.git/HEAD': 'ref: refs/heads/other\n',
      '.git/info/exclude': '*.tmp\n',
      '.git/config': '[core]\n',
      '.gitignore': '*.log\n',
      'inner/.quarryignore': '*.bak\n',
      'home/.config/git/ignore': '*.swp\n',
    };
    for (const [path, text] of Object.entries(changes)) {
      writeTree(root, { [path]: text });
      expect([path, await isTold(), await isTold()]).toEqual([path, true, false]);
    }
    await rename(join(project, 'docs'), join(project, 'away'));
    expect(await isTold()).toBe(true);
    await expect(watch.refresh()).rejects.toMatchObject({ code: 'project-not-found' });
    await symlink(join(project, 'away'), join(project, 'docs'));
    expect(await isTold()).toBe(true);
  });

  test('git at work makes a scan wait, a lock that was left behind does not', async () => {
    const root = scratchTree({ '.git/HEAD': 'ref: refs/heads/main\n', 'a.md': 'a' });
    const { watch } = watchTree(root);
    await watch.refresh();
    expect(await watch.isBusy()).toBe(false);
    const lock = join(root, '.git/index.lock');
    await writeFile(lock, '');
    expect(await watch.isBusy()).toBe(true);
    await utimes(lock, new Date(2020, 1), new Date(2020, 1));
    expect(await watch.isBusy()).toBe(false);
  });
});

describe('catching up', () => {
  test.runIf(process.platform === 'linux')('notices what was done right before, each time', async () => {
    const root = scratchTree({ 'docs/a.md': 'a' });
    const { watch, hints } = watchTree(root, { wholeTrees: false });
    expect(await watch.catchUp?.()).toBe(false);
    await watch.refresh();
    for (let round = 0; round < 100; round += 1) {
      hints.length = 0;
      writeFileSync(join(root, 'docs/a.md'), `round ${round}`);
      expect(await watch.catchUp?.()).toBe(true);
      expect(hints).toContain('docs/a.md');
    }
  });

  test('promises nothing where a tree is watched as a whole: other systems report later', async () => {
    const { watch } = watchTree(scratchTree({ 'a.md': 'a' }), { wholeTrees: true });
    await watch.refresh();
    expect(await watch.catchUp?.()).toBe(false);
  });

  test('promises nothing of drives that other machines may change', () => {
    const mounts = [
      '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
      '28 27 0:30 / /home/me/share rw shared:1 - nfs4 server:/x rw',
      '29 27 0:31 / /mnt/two\\040words rw - tmpfs tmpfs rw',
    ].join('\n');
    expect(areLocal(['/home/me/work'], mounts)).toBe(true);
    expect(areLocal(['/mnt/two words/work'], mounts)).toBe(true);
    expect(areLocal(['/home/me/share/work'], mounts)).toBe(false);
    expect(areLocal(['/home/me'], mounts)).toBe(false);
    expect(areLocal(['/home/me/work', '/home/me/share'], mounts)).toBe(false);
    expect(areLocal(['/home/me/work'], '')).toBe(false);
  });

  test.runIf(process.platform === 'linux')(
    'a full queue of the system leads to a look at everything',
    async () => {
      const root = scratchTree({ 'a.md': 'a', 'b.md': 'b' });
      const other = scratchTree({ 'c.md': 'c' });
      const { watch } = watchTree(root, { wholeTrees: false });
      const { watch: beside, hints } = watchTree(other, { wholeTrees: false });
      await watch.refresh();
      await beside.refresh();
      // Nothing is read meanwhile, and the system reports neighbouring events of one file once.
      const max = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
      for (let count = 0; count <= max; count += 1)
        utimesSync(join(root, count % 2 ? 'a.md' : 'b.md'), count, count);
      writeFileSync(join(other, 'c.md'), 'lost');
      await beside.catchUp?.();
      expect(hints).toEqual(['everything']);
    },
  );
});

describe('an event', () => {
  const hint = (folder: string, name: string | null, isRename = true) => hintOf({ folder, name, isRename });

  test('of an entry names it, and says whether only its content changed', () => {
    expect(hint('docs/', 'a.md')).toEqual({ kind: 'path', uri: 'docs/a.md' });
    expect(hint('', 'a.md', false)).toEqual({ kind: 'path', uri: 'a.md', contentOnly: true });
  });

  test('of a rule or a manifest concerns its whole folder', () => {
    expect(hint('docs/', '.gitignore', false)).toEqual({ kind: 'path', uri: 'docs' });
    expect(hint('', '.quarryignore')).toMatchObject({ kind: 'everything' });
    expect(hint('web/', 'package.json')).toEqual({ kind: 'path', uri: 'web' });
    expect(hint('web/', 'App.csproj')).toEqual({ kind: 'path', uri: 'web' });
    expect(hint('web/', 'package.json', false)).toMatchObject({ uri: 'web/package.json' });
  });

  test('without a name concerns everything in its folder', () => {
    expect(hint('docs/', null)).toEqual({ kind: 'path', uri: 'docs' });
    expect(hint('', null)).toMatchObject({ kind: 'everything' });
  });

  test('of what is never indexed means nothing, but that a repository came or went', () => {
    expect(hint('', '.quarry')).toBeUndefined();
    expect(hint('', '.git', false)).toBeUndefined();
    expect(hint('', '.git')).toMatchObject({ kind: 'everything' });
  });
});
