import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchTree } from '../local/scratch-tree.fixture.ts';
import {
  commitsIn,
  entriesOf,
  environmentOf,
  historyOf,
  scratchRepository,
  textOf,
} from './scratch-repository.fixture.ts';

/** Every name under which git runs a program that its settings, hooks or attributes name. */
const trapSettings = (trap: string): string => `
[core]
\tfsmonitor = ${trap} fsmonitor
\tpager = ${trap} pager
\tsshCommand = ${trap} ssh
\teditor = ${trap} editor
\taskPass = ${trap}
\talternateRefsCommand = ${trap} alternates
\tgitProxy = ${trap}
\thooksPath = hooks-of-stranger
[pager]
\tdiff-tree = ${trap} pager
\trev-list = ${trap} pager
\tlog = ${trap} pager
[alias]
\tdiff-tree = !${trap} alias
\trev-list = !${trap} alias
\tboom = !${trap} alias
[diff]
\texternal = ${trap} external
[diff "trap"]
\tcommand = ${trap} command
\ttextconv = ${trap} textconv
[filter "trap"]
\tclean = ${trap} clean
\tsmudge = ${trap} smudge
\tprocess = ${trap} process
[log]
\tshowSignature = true
[gpg]
\tprogram = ${trap}
[credential]
\thelper = !${trap} credential
[extensions]
\tpartialClone = origin
[remote "origin"]
\turl = ext::${trap} remote
\tuploadpack = ${trap} uploadpack
\tpromisor = true
\tpartialclonefilter = blob:none
[protocol]
\tallow = always
[include]
\tpath = included
[trace2]
\teventTarget = TRACE
`;

/** A repository that runs a program, which leaves a mark, wherever git can be made to. */
function trappedRepository() {
  const elsewhere = scratchTree({});
  const mark = join(elsewhere, 'ran');
  const trap = join(elsewhere, 'trap');
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${mark}\nexit 1\n`);
  chmodSync(trap, 0o755);
  const repository = scratchRepository();
  const first = repository.commit('First', {
    'a.txt': 'one\n',
    '.gitattributes': '* diff=trap filter=trap\n',
  });
  const second = repository.commit('Second', { 'a.txt': 'two\n' });
  const lost = repository.commit('Its content is elsewhere', { 'b.txt': 'fetch me\n' });
  const object = repository.git('rev-parse', 'HEAD:b.txt').trim();
  const { folder } = repository;
  const dotGit = join(folder, '.git');
  rmSync(join(dotGit, 'objects', object.slice(0, 2), object.slice(2)));
  const replaced = repository.git('commit-tree', '-m', 'Another story', `${second}^{tree}`).trim();
  repository.git('replace', second, replaced);
  appendFileSync(join(dotGit, 'config'), trapSettings(trap).replace('TRACE', join(elsewhere, 'traced')));
  writeFileSync(join(dotGit, 'included'), `[core]\n\tpager = ${trap}\n`);
  mkdirSync(join(dotGit, 'info'), { recursive: true });
  writeFileSync(join(dotGit, 'info', 'attributes'), '* diff=trap filter=trap\n');
  for (const hooks of [join(dotGit, 'hooks'), join(folder, 'hooks-of-stranger')]) {
    mkdirSync(hooks, { recursive: true });
    for (const name of [
      'post-index-change',
      'reference-transaction',
      'post-checkout',
      'pre-auto-gc',
      'fsmonitor-watchman',
    ])
      cpSync(trap, join(hooks, name));
  }
  const bin = join(folder, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  cpSync(trap, join(bin, 'git'));
  const path = [bin, '.', join(folder, 'bin'), process.env.PATH].join(delimiter);
  mkdirSync(join(folder, 'bin'));
  cpSync(trap, join(folder, 'bin', 'git'));
  return { folder, elsewhere, mark, first, second, lost, environment: environmentOf({ PATH: path }) };
}

describe.skipIf(process.platform === 'win32')('a repository of a stranger', () => {
  test('runs nothing and fetches nothing, whatever its settings, hooks and attributes name', async () => {
    const { folder, elsewhere, mark, first, second, lost, environment } = trappedRepository();
    // The traps work: an ordinary git falls into them.
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_ALLOW_PROTOCOL: 'ext:file' };
    for (const words of [
      ['log', '-p', '--ext-diff'],
      ['log', '-p', '--textconv', '--no-ext-diff'],
      ['status'],
      ['show', lost],
    ])
      try {
        execFileSync('git', words, { cwd: folder, env, stdio: 'ignore' });
      } catch {
        // A trap fails the command that falls into it.
      }
    expect(existsSync(mark)).toBe(true);
    rmSync(mark);
    for (const name of readdirSync(elsewhere)) if (name.startsWith('traced')) rmSync(join(elsewhere, name));

    const history = historyOf(folder, { environment });
    expect(await commitsIn(history)).toHaveLength(3);
    expect(await textOf(history, first)).toContain('diff a.txt\n@@ -0,0 +1 @@\n+one');
    // A replaced commit is read as it was made.
    expect(await textOf(history, second)).toContain('Second\n\nFiles:\nM a.txt (+1 -1)');
    expect(await textOf(history, lost)).toMatch(
      /^Missing: .*\n\nIts content is elsewhere\n\nFiles:\nA b\.txt$/m,
    );
    expect(readdirSync(elsewhere)).toEqual(['trap']);
  });

  test('shows nothing of another repository of the user', async () => {
    const own = scratchRepository();
    const secret = own.commit('Private', { 'a.txt': 'private\n' });
    const refusal = { trouble: { error: { code: 'file-unreadable' } } };
    const pointed = scratchTree({ '.git': `gitdir: ${join(own.folder, '.git')}\n` });
    expect(await entriesOf(historyOf(pointed))).toMatchObject([refusal]);
    const linked = scratchTree({});
    symlinkSync(join(own.folder, '.git'), join(linked, '.git'));
    expect(await entriesOf(historyOf(linked))).toMatchObject([refusal]);
    const borrowed = scratchRepository();
    borrowed.commit('Own', { 'b.txt': 'x\n' });
    writeFileSync(
      join(borrowed.folder, '.git', 'objects', 'info', 'alternates'),
      join(own.folder, '.git', 'objects'),
    );
    writeFileSync(join(borrowed.folder, '.git', 'refs', 'heads', 'main'), `${secret}\n`);
    expect(await entriesOf(historyOf(borrowed.folder))).toMatchObject([refusal]);
    const objects = scratchRepository();
    rmSync(join(objects.folder, '.git', 'objects'), { recursive: true });
    symlinkSync(join(own.folder, '.git', 'objects'), join(objects.folder, '.git', 'objects'));
    expect(await entriesOf(historyOf(objects.folder))).toMatchObject([refusal]);
    const common = scratchRepository();
    writeFileSync(join(common.folder, '.git', 'commondir'), `${join(own.folder, '.git')}\n`);
    expect(await entriesOf(historyOf(common.folder))).toMatchObject([refusal]);
  });

  test('does not keep a run waiting, nor fill its memory, with what pretends to be its parts', async () => {
    const repository = scratchRepository();
    const hash = repository.commit('First', { 'a.txt': 'one\n' });
    const dotGit = join(repository.folder, '.git');
    for (const name of ['HEAD', 'packed-refs', 'shallow', 'commondir']) {
      const { folder } = scratchRepository();
      rmSync(join(folder, '.git', name), { force: true });
      execFileSync('mkfifo', [join(folder, '.git', name)]);
      expect((await entriesOf(historyOf(folder))).every((entry) => entry.kind === 'skipped')).toBe(true);
    }
    rmSync(join(dotGit, 'refs', 'heads', 'main'));
    symlinkSync('/dev/zero', join(dotGit, 'refs', 'heads', 'main'));
    expect(await entriesOf(historyOf(repository.folder))).toMatchObject([
      { skipped: { rule: 'no commit yet' } },
    ]);
    rmSync(join(dotGit, 'refs', 'heads', 'main'));
    writeFileSync(join(dotGit, 'HEAD'), `${hash}\n`);
    expect(await commitsIn(historyOf(repository.folder))).toHaveLength(1);
    writeFileSync(join(dotGit, 'HEAD'), `${'0'.repeat(39)}1\n`);
    expect(await entriesOf(historyOf(repository.folder))).toMatchObject([
      { trouble: { error: { code: 'file-unreadable', message: expect.stringContaining('git fails') } } },
    ]);
  });
});
