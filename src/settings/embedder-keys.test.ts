import { describe, expect, test } from 'vitest';
import { isKeyVariable, keyVariableFor, keyVariableOf, mayGetGeneralKey } from './embedder-keys.ts';
import { type Settings, settingsSchema } from './settings.ts';

const general = 'QUARRY_EMBEDDER_API_KEY';

function settingsOf(first: string | undefined, further: Readonly<Record<string, string>>): Settings {
  const described = (url: string) => ({ driver: 'openai', url, model: 'm' });
  return settingsSchema.parse({
    ...(first !== undefined && { embedder: described(first) }),
    embedders: Object.fromEntries(Object.entries(further).map(([name, url]) => [name, described(url)])),
  });
}

const having = (variables: Readonly<Record<string, string>>) => (name: string) => variables[name];

describe('the variable of a named embedder', () => {
  test('is its name in capitals, with one underscore for each other character', () => {
    expect(keyVariableOf('my-gpu.box2')).toBe('QUARRY_EMBEDDER_MY_GPU_BOX2_API_KEY');
    expect(isKeyVariable(keyVariableOf('größe'))).toBe(true);
    expect(isKeyVariable(general)).toBe(true);
    expect(isKeyVariable('QUARRY_EMBEDDER_APIKEY')).toBe(false);
  });

  test('is used where it is set', () => {
    const settings = settingsOf('https://a.test', { other: 'https://b.test' });
    const variable = 'QUARRY_EMBEDDER_OTHER_API_KEY';
    expect(keyVariableFor(settings, having({ [variable]: 'x', [general]: 'y' }), 'other')).toBe(variable);
  });

  test('that two servers would share is an error', () => {
    const settings = settingsOf(undefined, { 'a-b': 'https://a.test', a_b: 'https://b.test' });
    const environment = having({ QUARRY_EMBEDDER_A_B_API_KEY: 'x' });
    expect(() => keyVariableFor(settings, environment, 'a-b')).toThrow('would go to different servers');
    const one = settingsOf(undefined, { 'a-b': 'https://a.test/x', a_b: 'https://a.test/y' });
    expect(keyVariableFor(one, environment, 'a-b')).toBe('QUARRY_EMBEDDER_A_B_API_KEY');
  });
});

describe('the general key', () => {
  const environment = having({ [general]: 'x' });

  test('goes to the server of [embedder], and to named ones only at the same place', () => {
    const settings = settingsOf('https://a.test/v1', { same: 'https://a.test/v2', other: 'https://b.test' });
    expect(keyVariableFor(settings, environment, 'same')).toBe(general);
    expect(keyVariableFor(settings, environment, 'other')).toBe('QUARRY_EMBEDDER_OTHER_API_KEY');
    expect(mayGetGeneralKey(settings, environment, 'https://a.test')).toBe(true);
    expect(mayGetGeneralKey(settings, environment, 'https://b.test')).toBe(false);
    expect(mayGetGeneralKey(settings, environment, 'http://a.test')).toBe(false);
  });

  test('goes to the only named server where [embedder] has none', () => {
    const settings = settingsOf(undefined, { one: 'https://a.test', two: 'https://a.test/v2' });
    expect(keyVariableFor(settings, environment, 'one')).toBe(general);
    expect(keyVariableFor(settings, environment, 'two')).toBe(general);
  });

  test('goes to none of several named servers, unless the others have keys of their own', () => {
    const settings = settingsOf(undefined, { one: 'https://a.test', two: 'https://b.test' });
    expect(keyVariableFor(settings, environment, 'one')).toBe('QUARRY_EMBEDDER_ONE_API_KEY');
    expect(keyVariableFor(settings, environment, 'two')).toBe('QUARRY_EMBEDDER_TWO_API_KEY');
    const keyed = having({ [general]: 'x', QUARRY_EMBEDDER_TWO_API_KEY: 'y' });
    expect(keyVariableFor(settings, keyed, 'one')).toBe(general);
  });

  test('is not asked for by an embedder without an address', () => {
    const settings = settingsOf('https://a.test', {});
    expect(keyVariableFor(settings, environment, 'constructor')).toBe('QUARRY_EMBEDDER_CONSTRUCTOR_API_KEY');
  });
});
