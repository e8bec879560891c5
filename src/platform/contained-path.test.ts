import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { draws } from '../../test/property-draws.ts';
import { QuarryError } from '../core/errors.ts';
import { containedPath, isHostileUri, isInside } from './contained-path.ts';

let base = '';
let root = '';

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'quarry-contained-')));
  root = join(base, 'root');
  mkdirSync(join(root, 'a', 'b'), { recursive: true });
  mkdirSync(join(base, 'rooted'));
  writeFileSync(join(root, 'a', 'file'), 'x');
  writeFileSync(join(base, 'rooted', 'file'), 'x');
  symlinkSync('..', join(root, 'a', 'up'));
  symlinkSync('../..', join(root, 'out'));
  symlinkSync('/', join(root, 'a', 'top'));
  symlinkSync('b', join(root, 'a', 'inner'));
  symlinkSync(join(base, 'absent'), join(root, 'dangling'));
  symlinkSync('loop', join(root, 'loop'));
  symlinkSync(root, join(base, 'alias'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const piece = fc.constantFrom(
  ...[
    '..',
    '.',
    '',
    'a',
    'b',
    'up',
    'out',
    'top',
    'inner',
    'dangling',
    'loop',
    'file',
    'absent',
    'root',
    'rooted',
  ],
  ...[
    '...',
    '.. ',
    '..\\',
    '\\..',
    '..\\..',
    'C:',
    'c:\\',
    '\0',
    '~',
    '%2e%2e',
    '%2f',
    '\u2024\u2024',
    '\uff0e\uff0e',
    'etc',
    'NUL',
  ],
);
const hostile = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join('/')),
  fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => `/${pieces.join('\\')}`),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

test('never resolves to a place outside the root, whatever the path', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (uri) => {
      try {
        const path = await containedPath(root, uri);
        expect(path === root || path.startsWith(root + sep)).toBe(true);
        // What exists must be its own real path: no link is left in it to be followed later.
        const real = await Promise.resolve(path)
          .then(realpathSync)
          .catch(() => path);
        expect(real).toBe(path);
      } catch (thrown) {
        if (!(thrown instanceof QuarryError)) throw thrown;
        expect(['path-outside-root', 'file-unreadable']).toContain(thrown.code);
      }
    }),
    { numRuns: draws(1500) },
  );
});

describe('containedPath', () => {
  test('resolves links that stay inside and places what does not exist yet', async () => {
    expect(await containedPath(root, 'a/inner')).toBe(join(root, 'a', 'b'));
    expect(await containedPath(root, 'a/up/a/file')).toBe(join(root, 'a', 'file'));
    expect(await containedPath(root, 'a/inner/new/deeper.md')).toBe(join(root, 'a', 'b', 'new', 'deeper.md'));
  });

  test('accepts a root that is itself reached through a link', async () => {
    expect(await containedPath(join(base, 'alias'), 'a/file')).toBe(join(root, 'a', 'file'));
  });

  test.each([
    'out',
    'out/rooted/file',
    'a/top/etc',
    'out/absent/x',
    'dangling',
    'dangling/x',
    '../rooted/file',
  ])('refuses %s, which leads out', async (uri) => {
    await expect(containedPath(root, uri)).rejects.toMatchObject({ code: 'path-outside-root' });
  });

  test('says that a loop of links or a missing root cannot be read', async () => {
    await expect(containedPath(root, 'loop/x')).rejects.toMatchObject({ code: 'file-unreadable' });
    await expect(containedPath(join(base, 'absent'), 'x')).rejects.toMatchObject({ code: 'file-unreadable' });
  });
});

test('a folder does not contain its neighbour whose name starts alike', () => {
  expect(isInside(join(base, 'root'), join(base, 'rooted'))).toBe(false);
  expect(isInside(join(base, 'root'), join(base, 'root', '..name'))).toBe(true);
  expect(isInside(join(base, 'root'), join(base, 'root'))).toBe(true);
});

test('drives, streams and backslashes are refused where they mean something', () => {
  for (const uri of ['C:', 'c:/x', 'z:\\x']) expect(isHostileUri(uri, 'linux')).toBe(true);
  for (const uri of ['C:x', 'file.txt:stream', 'a\\b']) {
    expect(isHostileUri(uri, 'win32')).toBe(true);
    expect(isHostileUri(uri, 'linux')).toBe(false);
  }
});
