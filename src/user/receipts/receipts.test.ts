import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { startQuarry } from '../../../test/quarry-process.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { maxCounted, noteReceipt, pathsIn } from './note-receipt.ts';
import { readReceipts, setCounting } from './read-receipts.ts';

const answer = (operation: string, folder: string, given: number, ...paths: string[]) =>
  noteReceipt({
    surface: 'mcp',
    operation,
    folder,
    given,
    answer: { hits: paths.map((path) => ({ path })) },
  });

// Other files share this process.
afterEach(() => vi.unstubAllEnvs());

async function emptyData(): Promise<string> {
  const folder = await temporaryFolder({});
  vi.stubEnv('QUARRY_DATA_FOLDER', folder);
  return folder;
}

test('a receipt sums what was given and the files that were named, each up to what is read at once', async () => {
  await emptyData();
  const folder = await temporaryFolder({ 'a.md': 'x'.repeat(300), 'b.md': 'x'.repeat(2 * maxCounted) });
  await answer('search', folder, 100, 'a.md', 'b.md', 'gone.md');
  await answer('search', folder, 50, 'a.md', 'a.md');
  await answer('read', folder, 10);
  expect(readReceipts()).toMatchObject([
    { operation: 'search', calls: 2, given: 150, named: 300 + maxCounted + 300 },
    { operation: 'read', calls: 1, given: 10, named: 0 },
  ]);
  expect(readReceipts('2999-01-01')).toEqual([]);
});

test('ten thousand answers take a few lines, and none of them is lost', async () => {
  const data = await emptyData();
  for (let at = 0; at < 10_000; at++) await answer(at % 2 ? 'search' : 'read', data, 1);
  expect(readReceipts().map(({ calls, given }) => [calls, given])).toEqual([
    [5_000, 5_000],
    [5_000, 5_000],
  ]);
  const names = await readdir(join(data, 'receipts'));
  const sizes = await Promise.all(
    names.map(async (name) => (await readFile(join(data, 'receipts', name))).length),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2 ** 18 + 10_000);
});

test('nothing is counted where a user has said so, and what was counted is forgotten', async () => {
  const data = await emptyData();
  await answer('search', data, 1);
  await setCounting(false);
  await answer('search', data, 1);
  expect(readReceipts()).toEqual([]);
  await setCounting(true);
  await answer('search', data, 1);
  expect(readReceipts()).toMatchObject([{ calls: 1 }]);
});

test('a folder that cannot be written, or a half line, spoils nothing', async () => {
  const data = await emptyData();
  await mkdir(join(data, 'receipts'));
  await writeFile(join(data, 'receipts', 'lines.jsonl'), '{"day":"2026-');
  await answer('search', data, 1);
  expect(readReceipts()).toEqual([]);
  await answer('search', data, 2);
  expect(readReceipts()).toMatchObject([{ calls: 1, given: 2 }]);
  vi.stubEnv('QUARRY_DATA_FOLDER', join(data, 'receipts', 'lines.jsonl'));
  await expect(answer('search', data, 1)).resolves.toBeUndefined();
});

test('the files of an answer are found wherever they stand in it', () => {
  const found = pathsIn({ hits: [{ path: 'a', more: [{ path: 'b' }] }], sources: [{ path: 'a' }], path: 3 });
  expect(found).toEqual(['a', 'b']);
});

test('a search in a shell is on the receipt, and its words are not', async () => {
  const folder = await temporaryFolder({ 'a.md': '# Locks\n\nA lock is taken once.\n' });
  const env = { QUARRY_DATA_FOLDER: `${folder}-data` };
  const found = await startQuarry(folder, ['search', 'lock taken', '--route', 'text'], env).finished;
  const { stdout } = await startQuarry(folder, ['receipt', '--json'], env).finished;
  const { rows } = JSON.parse(stdout);
  expect(rows).toEqual([
    {
      surface: 'shell',
      operation: 'search',
      calls: 1,
      tokens_given: Math.round(found.stdout.length / 4),
      tokens_named: 8,
    },
  ]);
  const kept = await readFile(join(`${folder}-data`, 'receipts', 'lines.jsonl'), 'utf8');
  expect(kept).not.toMatch(/lock|a\.md/);
});
