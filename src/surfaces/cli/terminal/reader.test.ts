import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testedProgram } from '../../../../test/quarry-process.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';

/** Starts a command as a process of its own, with both outputs as pipes. */
function start(folder: string, words: readonly string[]) {
  const child = spawn(process.execPath, [testedProgram, ...words], { cwd: folder });
  onTestFinished(() => void child.kill('SIGKILL'));
  const complaints = text(child.stderr).catch(() => 'not read');
  const ended = async () => {
    const [code, signal] = await once(child, 'exit');
    return { code, signal, stderr: await complaints };
  };
  return { child, ended: ended() };
}

/** Reads until an event of a kind has come, then leaves. */
function leaveAt(child: ChildProcess, type: string): void {
  let read = '';
  child.stdout?.on('data', (data) => {
    read += data;
    if (read.includes(`"type":"${type}"`)) child.stdout?.destroy();
  });
}

const hashing = ['--set', 'embedder.driver=hashing'];
const quietly = { code: 141, signal: null, stderr: '' };

describe('when its reader has left', () => {
  test.each([
    ['a watch that has nothing to tell', 'pass-end'],
    ['a watch amid its first pass', 'watch-start'],
  ])('%s ends by itself, without a word', async (_, type) => {
    const folder = await temporaryFolder({ 'a.md': '# Apples\n' });
    const { child, ended } = start(folder, ['watch', '--json', ...hashing]);
    leaveAt(child, type);
    expect(await ended).toEqual(quietly);
  });

  test('an index run stops between two commits, and the next one continues', async () => {
    // Long names, so that the events do not fit into the pipe: the run cannot be through before its reader leaves.
    const nameOf = (at: number) => `${at}-${'long'.repeat(55)}.md`;
    const files = Array.from({ length: 300 }, (_, at) => [nameOf(at), `# Note ${at}\n\nAbout ${at * 7}.\n`]);
    const folder = await temporaryFolder(Object.fromEntries(files));
    const { child, ended } = start(folder, ['index', '--json', ...hashing]);
    leaveAt(child, 'document-indexed');
    expect(await ended).toEqual(quietly);
    const next = start(folder, ['index', '--json', ...hashing]);
    const lines = (await text(next.child.stdout)).trim().split('\n');
    const { summary } = JSON.parse(lines.at(-1) ?? '');
    expect(summary.documents.indexed).toBeGreaterThan(0);
    expect(summary.documents.indexed + summary.documents.unchanged).toBe(300);
    expect(summary.chunks.pending).toBe(0);
  });

  test.each([[['search', 'apples', ...hashing]], [['--help']], [['--version']]])(
    '%j ends without a stack trace',
    async (words) => {
      const { child, ended } = start(await temporaryFolder({ 'a.md': '# Apples\n' }), words);
      child.stdout.destroy();
      const { code, stderr } = await ended;
      expect(code).toBe(141);
      expect(stderr).not.toMatch(/EPIPE|^ +at /m);
    },
  );
});

test.skipIf(!existsSync('/dev/full'))(
  'a disk that is full is reported in one line, with the remedy',
  async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [testedProgram, '--version'], {
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    const emitted = child.stderr ? text(child.stderr) : Promise.resolve('');
    const [code] = await once(child, 'exit');
    expect(code).toBe(1);
    expect(await emitted).toMatch(/^quarry: The results cannot be written: .+\nFree space .+\n$/);
  },
);

test('a result still comes when nobody reads the notes', async () => {
  const folder = await temporaryFolder({
    'quarry.toml': '',
    'a.md': '# Apples\n',
    'below/b.md': '# Pears\n',
  });
  // Below the project's own folder a note names it.
  const { child } = start(join(folder, 'below'), ['search', 'apples', ...hashing]);
  child.stderr.destroy();
  expect(await text(child.stdout)).toContain('a.md:1 ');
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(0);
});
