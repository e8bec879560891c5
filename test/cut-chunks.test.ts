import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const program = fileURLToPath(new URL('../training/cut-chunks.ts', import.meta.url));

test('what is cut for training names each file that it leaves out, and why', async () => {
  const folder = await temporaryFolder({
    'npm/lake/lake.md': '# Lake\n\nThe heron waits in the reeds.\n',
    'npm/lake/broken.pdf': 'this is no PDF',
    'npm/lake/data.bin': '\0\u0001\u0002\0',
  });
  const output = join(await temporaryFolder(), 'chunks.jsonl');
  const { stderr } = await promisify(execFile)(process.execPath, [program, folder, output]);
  const paths = (await readFile(output, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).path);
  expect(paths).toEqual(['lake.md']);
  expect(stderr).toContain('2 files left out:\n');
  expect(stderr).toMatch(/^npm\/lake\/broken\.pdf {2}\S+: \S/m);
  expect(stderr).toMatch(/^npm\/lake\/data\.bin {2}\S+: \S/m);
});
