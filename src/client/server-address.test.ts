import { describe, expect, test } from 'vitest';
import { projectNameOf, serverInUse, tokenInClear } from './server-address.ts';

const environment =
  (variables: Readonly<Record<string, string>>) =>
  (name: string): string | undefined =>
    variables[name];

describe('the server of a command', () => {
  test('is the one of its flag, then of the environment, then none', () => {
    const named = environment({
      QUARRY_SERVER: 'https://one.example/',
      FRAG_SERVICE_URL: 'http://two.example',
    });
    expect(serverInUse(named, 'http://three.example:8001/base/')).toEqual({
      url: 'http://three.example:8001/base',
    });
    expect(serverInUse(named)).toEqual({ url: 'https://one.example' });
    expect(serverInUse(environment({ FRAG_SERVICE_URL: 'http://two.example' }))?.url).toBe(
      'http://two.example',
    );
    expect(serverInUse(environment({}))).toBeUndefined();
  });

  test.each(['ftp://host', 'host:8001', 'https://ann:secret@host', ''])('is never %j', (text) => {
    const ask = () => serverInUse(environment({}), text);
    expect(ask).toThrow(expect.objectContaining({ code: 'usage-invalid' }));
    expect(ask).not.toThrow(/secret/);
  });

  test.each([
    ['http://team.example:8001', true],
    ['http://10.0.0.7', true],
    ['https://team.example', false],
    ['http://localhost:8001', false],
    ['http://127.0.0.1:8001', false],
    ['http://[::1]:8001', false],
  ])('that gets a token in clear is named to the user: %s %s', (url, isTold) => {
    expect(tokenInClear({ url, token: 'secret' }) !== undefined).toBe(isTold);
    expect(tokenInClear({ url, token: 'secret' }) ?? '').not.toContain('secret');
    expect(tokenInClear({ url })).toBeUndefined();
  });
});

test.each([
  ['/srv/My Notes', 'My-Notes'],
  ['C:\\code\\app\\', 'app'],
  ['/srv/.hidden', 'hidden'],
  ['/', 'project'],
])('the name of a project on a server is that of its folder: %s', (folder, name) => {
  expect(projectNameOf(folder)).toBe(name);
});
