import { lstat, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import type { SearchHit } from '../../../operations/find/hit-as-data.ts';
import { rememberHits } from './last-hits.ts';

// Nothing else of a hit is remembered.
const hits = [{ path: 'private.md', lines: [3, 5] }] as unknown as SearchHit[];

describe.skipIf(process.platform === 'win32')('the hits of the last search', () => {
  test('are for the user alone, whatever the mask of the process is', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, '.quarry'));
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    await rememberHits(folder, hits);
    const file = join(folder, '.quarry', 'last-search.json');
    expect(await readFile(file, 'utf8')).toBe('[{"path":"private.md","line":3}]');
    expect((await lstat(file)).mode & 0o777).toBe(0o600);
  });

  test('are written through no link', async () => {
    const outside = await temporaryFolder({ 'last-search.json': 'not ours' });
    const [linkedFile, linkedFolder] = [await temporaryFolder(), await temporaryFolder()];
    await mkdir(join(linkedFile, '.quarry'));
    await symlink(join(outside, 'last-search.json'), join(linkedFile, '.quarry', 'last-search.json'));
    await symlink(outside, join(linkedFolder, '.quarry'));
    for (const folder of [linkedFile, linkedFolder]) await rememberHits(folder, hits);
    expect(await readFile(join(outside, 'last-search.json'), 'utf8')).toBe('not ours');
  });
});
