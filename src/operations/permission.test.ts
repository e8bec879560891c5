import { expect, test } from 'vitest';
import { grantOf } from '../engine/grants.ts';
import { loadOperations } from './catalogue.ts';
import { needsConfirmation, scopeOf } from './permission.ts';

const operations = await loadOperations();
const named = (choose: (operation: (typeof operations)[number]) => boolean) =>
  operations.filter(choose).map(({ name }) => name);

const tokenTo = (access: 'read' | 'write' | 'admin') =>
  grantOf({ id: '1', name: 'ci', hash: '', project: '*', access, created_at: '' });

test('what takes paths of the machine is never offered to a caller from elsewhere', () => {
  expect(named((operation) => scopeOf(operation) === undefined)).toEqual([
    'history allow',
    'history withdraw',
    'push',
    'add',
    'source list',
    'source add',
    'source remove',
    'export',
    'import',
    'model add',
    'cache export',
    'cache import',
    'trust give',
    'trust show',
    'trust withdraw',
    'projects list',
    'projects add',
    'projects remove',
    'eval',
  ]);
});

test('what makes and revokes tokens or changes settings is for the owner alone: no token allows it', () => {
  const scopes = named((operation) => operation.reach === 'owner');
  expect(scopes).toEqual(['store migrate', 'token create', 'token revoke', 'config set']);
  expect(tokenTo('admin').allows('owner:write', undefined)).toBe(false);
  expect(tokenTo('admin').allows('owner:read', 'docs')).toBe(false);
});

test('what all projects share is for the owner, and for tokens that were made for administration', () => {
  expect(named((operation) => operation.reach === 'user')).toEqual([
    'model list',
    'model remove',
    'cache stats',
    'cache clear',
    'consent list',
    'consent give',
    'consent withdraw',
    'token list',
  ]);
  for (const scope of ['user:read', 'user:write'] as const) {
    expect(tokenTo('read').allows(scope, 'docs')).toBe(false);
    expect(tokenTo('write').allows(scope, 'docs')).toBe(false);
    expect(tokenTo('admin').allows(scope, 'docs')).toBe(true);
  }
  expect(tokenTo('admin').allows('project:write', 'docs')).toBe(true);
});

test('a token that reads one project changes nothing, and reaches nothing that projects share', () => {
  expect(named((operation) => scopeOf(operation) === 'project:read')).toEqual([
    'search',
    'read',
    'refs',
    'callers',
    'callees',
    'outline',
    'related',
    'ask',
    'context',
    'memory',
    'status',
    'manifest',
    'overview',
    'map',
    'verify',
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
