import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { findCommand } from './find-command.ts';

test.each([
  [['search', 'eval'], 'search', ['eval']],
  [['search', 'cache', 'stats'], 'search', ['cache', 'stats']],
  [['cache', 'clear', '--yes'], 'cache clear', ['--yes']],
  [['cache'], 'cache stats', []],
  [['cache', '--json'], 'cache stats', ['--json']],
  [['consent', '--', 'give'], 'consent list', ['--', 'give']],
  [['clean'], 'clean', []],
  [['clean', '--yes', '--all'], 'clean all', ['--yes']],
  [['clean', '--', '--all'], 'clean', ['--', '--all']],
  [['status', '--files', '--path', 'docs/**'], 'manifest', ['--path', 'docs/**']],
  [['store', 'migrate', '--to', 'sqlite'], 'store migrate', ['--to', 'sqlite']],
])('%j is %s', (words, name, rest) => {
  const found = findCommand(words);
  expect(found.entry.name).toBe(name);
  expect(found.rest).toEqual(rest);
});

test.each([
  [['overview', '--json'], 'overview', 'status'],
  [['manifest'], 'manifest', 'status --files'],
  [['memory', 'boiler'], 'memory', 'context --for memory'],
  [['clean', 'all', '--yes'], 'clean all', 'clean --all'],
])('%j of the version before still is %s, and says what to write', (words, name, instead) => {
  expect(findCommand(words)).toMatchObject({ entry: { name }, instead });
});

test('no name of today says that there is another', () => {
  for (const { name } of commands) expect(findCommand(name.split(' '))).not.toHaveProperty('instead');
});

test.each([
  [['frobnicate', 'x'], 'There is no command "frobnicate".', 'search, read'],
  [['serach', 'x'], 'There is no command "serach".', 'Did you mean: quarry search'],
  [['cahce'], 'There is no command "cahce".', 'Did you mean: quarry cache'],
  [['model', 'lsit'], 'There is no command "model lsit".', 'Did you mean: quarry model list'],
  [['cache', 'empty'], 'There is no command "cache empty".', 'Use one of: cache stats, cache export,'],
  [['clear'], 'There is no command "clear".', 'Did you mean: quarry clean'],
])('%j is no command', (words, message, remedy) => {
  expect(() => findCommand(words)).toThrow(
    expect.objectContaining({ message, remedy: expect.stringContaining(remedy) }),
  );
});
