import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { oncePerRun } from './once-per-run.ts';

test('what several ask for at once is made once, and seen whole by all', async () => {
  const made: string[] = [];
  const ask = (name: string) =>
    oncePerRun(name, async (folder) => {
      made.push(folder);
      await writeFile(join(folder, 'half'), '');
      await writeFile(join(folder, 'whole'), 'made');
    }).then((folder) => readFile(join(folder, 'whole'), 'utf8'));
  const name = randomUUID();
  expect(await Promise.all([ask(name), ask(name), ask(name)])).toEqual(['made', 'made', 'made']);
  expect(await ask(name)).toBe('made');
  expect(made).toHaveLength(1);
});

test('where it cannot be made, everybody learns why', async () => {
  const name = randomUUID();
  const ask = () => oncePerRun(name, () => Promise.reject(new Error('the disk is full')));
  await expect(ask()).rejects.toThrow('the disk is full');
  await expect(ask()).rejects.toThrow('the disk is full');
});
