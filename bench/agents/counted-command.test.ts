import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { makePrograms, missingPrograms, plainArm } from './arms.ts';
import { type CommandBounds, countedCommand } from './counted-command.ts';
import { type Run, readLog } from './run-folder.ts';

/** A run of plain tools over these files. */
async function runOver(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  const code = await temporaryFolder(files);
  const run: Run = {
    round: 1,
    arm: 'plain',
    code: 'dircproxy',
    folder: code,
    bin: join(folder, 'bin'),
    home: join(folder, 'home'),
  };
  await makePrograms(plainArm, run.bin);
  await mkdir(run.home);
  const ask = (command: string, bounds?: CommandBounds) => countedCommand(folder, run, command, bounds);
  return { folder, code, ask };
}

const missing = missingPrograms();

describe.skipIf(process.platform === 'win32' || missing.length > 0)(
  `a command of an agent${missing.length > 0 ? ` (not tried without ${missing.join(', ')})` : ''}`,
  () => {
    test('is run in the folder of the code, and logged with what it cost', async () => {
      const { folder, ask } = await runOver({ 'one.c': 'first\nsecond\n', 'two.c': 'second\n' });
      expect((await ask('cat one.c | head -1')).shown).toBe('first\n');
      await ask('rg -l second --sort path');
      await ask('ls nowhere');
      const log = await readLog(folder);
      expect(log).toMatchObject([
        { command: 'cat one.c | head -1', in: 19, out: 6, whole: 6, exit: 0 },
        { command: 'rg -l second --sort path', in: 24, out: 12, whole: 12, exit: 0 },
        { command: 'ls nowhere', in: 10, exit: 2 },
      ]);
      for (const { ms, at } of log) {
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(Number.isNaN(Date.parse(at))).toBe(false);
      }
      expect((await readFile(join(folder, 'log.jsonl'), 'utf8')).split('\n')).toHaveLength(4);
    });

    test('counts characters, not bytes', async () => {
      const { ask } = await runOver({ 'a.txt': 'für Käse\n' });
      expect((await ask('cat a.txt')).logged).toMatchObject({ out: 9, whole: 9 });
      expect((await ask('echo é')).logged).toMatchObject({ in: 6, out: 2 });
    });

    test('gives what goes to both streams in the order in which it was written', async () => {
      const { ask } = await runOver({});
      expect((await ask('echo one; echo two >&2; echo three')).shown).toBe('one\ntwo\nthree\n');
    });

    test('is cut at 30,000 characters, and says so', async () => {
      const { ask } = await runOver({ 'long.txt': 'x'.repeat(30_000), 'longer.txt': 'y'.repeat(30_001) });
      const whole = await ask('cat long.txt');
      expect(whole.shown).toBe('x'.repeat(30_000));
      const cut = await ask('cat longer.txt');
      expect(cut.shown).toBe(`${'y'.repeat(30_000)}\n[cut: the first 30000 of 30001 characters]\n`);
      expect(cut.logged).toMatchObject({ out: cut.shown.length, whole: 30_001, exit: 0 });
    });

    test('that never ends is ended, with what it has started', async () => {
      const { ask } = await runOver({});
      const slow = await ask('echo begun; while true; do :; done | cat', { milliseconds: 300 });
      expect(slow.shown).toBe('begun\n\n[ended: more than 300 ms]\n');
      expect(slow.logged.exit).toBeNull();
      const endless = await ask('while true; do echo more and more; done', { characters: 50_000 });
      expect(endless.shown).toMatch(/\[cut: .*\]\n\n\[ended: more than 50000 characters\]\n$/);
    });

    test('that asks for input gets none', async () => {
      const { ask } = await runOver({});
      expect((await ask('cat; echo end')).shown).toBe('end\n');
    });

    test('knows the programs of its arm alone', async () => {
      const { ask } = await runOver({});
      const known = await ask('for name in rg sed cat ls find awk head; do type -t $name; done');
      expect(known.shown).toBe('file\n'.repeat(7));
      for (const name of ['python3', 'perl', 'git', 'node', 'quarry', 'env', 'sh'])
        expect((await ask(`${name} --version`)).shown).toContain('command not found');
    });

    test.each([
      '/bin/echo found',
      'cat one.c | /bin/echo found',
      'echo "$(/bin/echo found)" | sed s/not/NOT/',
      'exec /bin/echo found',
      'command /bin/echo found',
      'A=1 /bin/echo found',
      'f() { /bin/echo found; }; f',
      'for i in 1; do /bin/echo found; done',
      '../../../../../../bin/echo found',
      'PATH=/bin:/usr/bin; env echo found',
      'PATH=/bin:/usr/bin env echo found',
      'export PATH=/bin:/usr/bin; env echo found',
      'trap - DEBUG; PATH=/bin env echo found',
    ])('runs nothing outside of the PATH: %s', async (command) => {
      const { ask } = await runOver({ 'one.c': 'text\n' });
      const { shown } = await ask(command);
      expect(shown).not.toMatch(/^found/m);
      expect(shown).toMatch(/not allowed|NOT allowed|command not found|readonly variable/);
    });

    test.each([
      ['X=/some/where; echo $X', '/some/where\n'],
      ['2>/dev/null ls nowhere; echo after', 'after\n'],
      ['ls one.c 2>/dev/null', 'one.c\n'],
      ['for f in ./one.c /nowhere; do echo $f; done', './one.c\n/nowhere\n'],
      ['cd sub && ls', 'two.c\n'],
      ['[[ /a == /a ]] && echo same', 'same\n'],
      ["find . -name '*.c' | sed 's#./##' | awk 'END { print NR }'", '2\n'],
      ['IFS=/ read -r a b <<< "x/y"; echo $b', 'y\n'],
    ])('lets paths stand elsewhere: %s', async (command, shown) => {
      const { ask } = await runOver({ 'one.c': 'text\n', 'sub/two.c': 'text\n' });
      expect((await ask(command)).shown).toBe(shown);
    });
  },
);
