import { describe, expect, test } from 'vitest';
import { findCredentials, requireKey, shownKey } from './credentials.ts';

const provider = { origin: 'https://api.example.com', variables: ['FIRST_KEY', 'SECOND_KEY'] };
const variables: Record<string, string> = { SECOND_KEY: ' provider ', QUARRY_EMBEDDER_API_KEY: 'own' };
const environment = (name: string) => variables[name];
const keyFor = (url: string) => findCredentials(new URL(url), environment, 'embedder', provider);

describe('the key of a provider', () => {
  test('goes to its own address, from the first variable that is set', () => {
    const credentials = keyFor('https://api.example.com/v1/anything');
    expect(requireKey(credentials, 'host')).toBe('provider');
    expect(shownKey(credentials)).toBe('SECOND_KEY');
  });

  test.each([
    'http://api.example.com/v1',
    'https://api.example.com:8443/v1',
    'https://api.example.com.evil.net/v1',
    'https://evil.net/api.example.com',
    'https://xapi.example.com/v1',
    'https://evil.net/?https://api.example.com',
  ])('never goes to %s', (url) => {
    expect(requireKey(keyFor(url), 'host')).toBe('own');
  });
});

test('a key that is missing is named where it is needed and not missed elsewhere', () => {
  const none = () => undefined;
  const needed = findCredentials(new URL('https://api.example.com'), none, 'embedder', provider);
  expect(() => requireKey(needed, 'api.example.com')).toThrow('FIRST_KEY is not set');
  expect(
    requireKey(findCredentials(new URL('http://host'), none, 'embedder', provider), 'host'),
  ).toBeUndefined();
  expect(shownKey(needed)).toBe('none');
});
