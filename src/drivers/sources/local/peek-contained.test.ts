import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localSource, scratchTree, walk } from './scratch-tree.fixture.ts';

/** A source that has been walked, as it is before anything is peeked at. */
async function walked(folder: string) {
  const source = localSource(folder);
  for await (const _ of source.scan());
  return { peek: (uri: string, max = 100) => Buffer.from(source.peek?.(uri, max) ?? []).toString() };
}

test('gives the first bytes of a file', async () => {
  const { peek } = await walked(scratchTree({ 'a/b.md': 'saffron' }));
  expect([peek('a/b.md'), peek('a/b.md', 3)]).toEqual(['saffron', 'saf']);
});

test('gives nothing from outside, whatever has become of a path since the walk', async () => {
  const outside = scratchTree({ 'b.md': 'private' });
  const folder = scratchTree({ 'a/b.md': 'own', 'c.md': 'own', 'd.md': 'own' });
  const { peek } = await walked(folder);
  renameSync(join(folder, 'a'), join(folder, 'was'));
  symlinkSync(outside, join(folder, 'a'));
  expect(() => peek('a/b.md')).toThrow();
  renameSync(join(folder, 'c.md'), join(folder, 'moved.md'));
  symlinkSync(join(outside, 'b.md'), join(folder, 'c.md'));
  expect(() => peek('c.md')).toThrow();
  expect(() => peek('../b.md')).toThrow();
  expect(() => peek(join(outside, 'b.md'))).toThrow();
  mkdirSync(join(folder, 'e.md'));
  expect(() => peek('e.md')).toThrow();
  writeFileSync(join(folder, 'd.md'), 'still own');
  expect(peek('d.md')).toBe('still own');
  expect((await walk(folder)).files).toContain('d.md');
});

test.skipIf(process.platform === 'win32')('waits for no pipe and reads no device', async () => {
  const folder = scratchTree({ 'a.md': 'own' });
  execFileSync('mkfifo', [join(folder, 'pipe.md')]);
  const { peek } = await walked(folder);
  expect(() => peek('pipe.md')).toThrow();
});
