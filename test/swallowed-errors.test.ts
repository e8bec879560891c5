import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { unawaitedCalls, unexplainedSwallows } from './swallowed-errors.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

function shippedFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.tsx?$/.test(name) && !/\.(test|fixture)\.tsx?$/.test(name))
    .map((entry) => join(entry.parentPath, entry.name));
}

test.each(['src', 'web'])('every error that %s drops has its reason in a comment beside it', (folder) => {
  const files = shippedFiles(folder);
  const unexplained = files.flatMap((file) =>
    unexplainedSwallows(readFileSync(file, 'utf8')).map(
      (line) =>
        `${relative(root, file).split(sep).join(posix.sep)}:${line} drops an error; handle it, let only the expected code pass, or say in a comment why nobody needs it`,
    ),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(unexplained).toEqual([]);
});

test.each(['src', 'web'])('no promise of Node.js is left alone in %s', (folder) => {
  const left = shippedFiles(folder).flatMap((file) =>
    unawaitedCalls(readFileSync(file, 'utf8')).map(
      (line) => `${relative(root, file)}:${line} needs an await`,
    ),
  );
  expect(left).toEqual([]);
});

test('a promise of Node.js that is left alone is found, and no other call', () => {
  const lines = [
    "import { setTimeout } from 'node:timers/promises';",
    "import { readFile as read, rm } from 'node:fs/promises';",
    'rm(path);',
    'if (isGone) rm(path);',
    '  read(',
    '    path,',
    '  );',
    'await rm(path);',
    'const text =',
    '  read(path);',
    'rm(path).catch(report);',
    'const remove = () => rm(path);',
    'close();',
  ];
  expect(unawaitedCalls(lines.join('\n'))).toEqual([3, 4, 5]);
});

describe('the check finds', () => {
  test.each([
    ['a promise', ['await close().catch(() => undefined);'], [1]],
    ['a promise over several lines', ['await close()', '  .then(next)', '  .catch(() => {});'], [3]],
    ['the last handler of a promise', ['close().then(', '  () => true,', '  () => false,', ');'], [3]],
    ['a listener', ["socket.on('error', () => undefined);"], [1]],
    ['a block', ['try {', '  close();', '} catch {', '  return 0;', '}'], [3]],
    ['an empty block', ['try {', '  close();', '} catch {}'], [3]],
    [
      'one whose reason belongs to another statement',
      ['// Why.', 'open();', 'close().catch(() => {});'],
      [3],
    ],
    ['one before a comment on what follows', ['close().catch(() => {});', '// Next.', 'open();'], [1]],
  ])('%s', (_, lines, found) => {
    expect(unexplainedSwallows(lines.join('\n'))).toEqual(found);
  });
});

describe('the check lets pass', () => {
  test.each([
    ['a reason on the line', ['close().catch(() => {}); // Nobody waits.']],
    ['a reason above the statement', ['// Nobody waits.', 'await close()', '  .catch(() => {});']],
    [
      'a reason above its handler',
      ['close().then(', '  next,', '  // Nobody waits.', '  () => undefined,', ');'],
    ],
    ['a reason in the block', ['try {', '  close();', '} catch {', '  // Gone.', '}']],
    ['a reason for two in a row', ['// Gone.', 'close().catch(() => {});', 'end().catch(() => {});']],
    ['a block that throws its own', ['try {', '  read();', '} catch {', '  throw invalid();', '}']],
    [
      'a handler that takes the error',
      ['close().catch(report);', 'end().catch((thrown) => report(thrown));'],
    ],
  ])('%s', (_, lines) => {
    expect(unexplainedSwallows(lines.join('\n'))).toEqual([]);
  });
});
