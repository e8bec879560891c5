import { execFile } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const program = fileURLToPath(new URL('../bench/page/lighthouse.ts', import.meta.url));

/** In the place of npx: misses the first navigation as Lighthouse does, and then finds nothing to blame. */
const standIn = `#!${process.execPath}
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const words = process.argv.slice(2);
appendFileSync(__dirname + '/links', words[2] + '\\n');
if (readFileSync(__dirname + '/links', 'utf8').trim().split('\\n').length === 1) {
  console.error('Runtime error encountered: Something went wrong (NO_NAVSTART)');
  process.exit(1);
}
const report = words.find((word) => word.startsWith('--output-path=')).slice('--output-path='.length);
writeFileSync(report, JSON.stringify({ categories: {}, audits: {} }));
`;

test('a view whose navigation Lighthouse has missed is looked at once more, by a new link', async () => {
  const folder = await temporaryFolder({ npx: standIn });
  await chmod(join(folder, 'npx'), 0o755);
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'status'], { env });
  expect(stdout.trim().split('\n')).toEqual([
    expect.stringMatching(/^status, desk: /),
    expect.stringMatching(/^status, phone: /),
  ]);
  const links = (await readFile(join(folder, 'links'), 'utf8')).trim().split('\n');
  expect(new Set(links).size).toBe(3);
});
