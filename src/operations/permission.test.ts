import { expect, test } from 'vitest';
import { grantOf } from '../engine/grants.ts';
import { loadOperations } from './catalogue.ts';
import { needsConfirmation, scopeOf } from './permission.ts';

const operations = await loadOperations();
const named = (choose: (operation: (typeof operations)[number]) => boolean) =>
  operations.filter(choose).map(({ name }) => name);

test('what takes paths of the machine is never offered to a caller from elsewhere', () => {
  expect(named((operation) => scopeOf(operation) === undefined)).toEqual([
    'push',
    'add',
    'model add',
    'cache export',
    'cache import',
    'trust give',
    'trust show',
    'trust withdraw',
    'eval',
  ]);
});

test('what makes and revokes tokens or changes settings is for the owner alone: no token allows it', () => {
  const scopes = named((operation) => operation.reach === 'owner');
  expect(scopes).toEqual(['store migrate', 'token create', 'token revoke', 'config set']);
  const token = { id: '1', name: 'ci', hash: '', project: '*', access: 'write', created_at: '' } as const;
  expect(grantOf(token).allows('user:write', undefined)).toBe(true);
  expect(grantOf(token).allows('owner:write', undefined)).toBe(false);
  expect(grantOf(token).allows('owner:read', 'docs')).toBe(false);
});

test('a token that reads one project changes nothing, and reaches nothing that projects share', () => {
  expect(named((operation) => scopeOf(operation) === 'project:read')).toEqual([
    'search',
    'read',
    'ask',
    'context',
    'memory',
    'status',
    'overview',
    'map',
    'verify',
    'manifest',
    'config show',
    'doctor',
    'report list',
    'report show',
    'report compare',
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
