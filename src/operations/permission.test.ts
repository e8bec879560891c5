import { expect, test } from 'vitest';
import { loadOperations } from './catalogue.ts';
import { needsConfirmation, scopeOf } from './permission.ts';

const operations = await loadOperations();
const named = (choose: (operation: (typeof operations)[number]) => boolean) =>
  operations.filter(choose).map(({ name }) => name);

test('what takes paths of the machine, and what makes and revokes tokens, is never offered to a caller from elsewhere', () => {
  expect(named((operation) => scopeOf(operation) === undefined)).toEqual([
    'add',
    'model add',
    'cache export',
    'cache import',
    'token create',
    'token revoke',
    'eval',
  ]);
});

test('a token that reads one project changes nothing, and reaches nothing that projects share', () => {
  expect(named((operation) => scopeOf(operation) === 'project:read')).toEqual([
    'search',
    'status',
    'verify',
    'manifest',
    'config show',
    'doctor',
  ]);
  expect(named((operation) => scopeOf(operation) === 'project:write')).toEqual([
    'index',
    'watch',
    'remove',
    'repair',
    'clean',
    'clean all',
    'init',
  ]);
});

test('a person is asked before something is gone for good, and only then', () => {
  expect(named(needsConfirmation)).toEqual([
    'remove',
    'clean all',
    'model remove',
    'cache clear',
    'token revoke',
  ]);
});

test('the first operation of a group, which its name alone means, changes nothing', () => {
  const firsts = new Map(
    operations.toReversed().map((operation) => [operation.name.split(' ')[0], operation]),
  );
  const groups = operations.filter(({ name }) => name.includes(' ')).map(({ name }) => name.split(' ')[0]);
  for (const group of groups) expect(firsts.get(group)?.effect).not.toBe('destroys');
});
