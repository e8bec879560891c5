import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

test('nothing comes after the last line of JSON, however often the reader is asked for', async () => {
  const folder = await temporaryFolder({ 'a.md': '# Apples\n', 'b.md': '# Pears\n' });
  const words = ['index', '--json', '--project', folder, '--set', 'embedder.driver=hashing'];
  // Time runs five thousand times as fast for what is repeated, so that it would be asked while the project closes.
  const program = `
    const { setInterval: begin } = globalThis;
    globalThis.setInterval = (work, milliseconds) => begin(work, milliseconds / 5000);
    const { runCommandLine } = await import(${JSON.stringify(new URL('./command-line.ts', import.meta.url).href)});
    process.exitCode = await runCommandLine(${JSON.stringify(words)});`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--no-warnings',
    '--input-type=module',
    '--eval',
    program,
  ]);
  expect(stdout).toMatch(/ \{"type"/);
  const lastLine = stdout.slice(stdout.lastIndexOf('\n', stdout.length - 2) + 1);
  expect(lastLine).toMatch(/^ *\{"type":"result",.*\}\n$/);
});
