import { describe, expect, test } from 'vitest';
import { createForge } from './forge.fixture.ts';
import { entropy, isPlaceholder, looksLikePassword, looksRandom } from './likelihood.ts';
import { namedSecret } from './secret-names.ts';

const forge = createForge(5);

describe('likelihood', () => {
  test.each([
    'changeme',
    '<your-key>',
    `\${TOKEN}`,
    '$TOKEN',
    '{{ key }}',
    'xxxxxxxx',
    '********',
    'YOUR_API_KEY',
    'password123',
    'process.env.KEY',
    '1234567890abcdef',
    'REDACTED████',
  ])('takes %s for a placeholder', (value) => expect(isPlaceholder(value)).toBe(true));

  test('takes hardly any generated string for a placeholder or for words', () => {
    const generated = Array.from({ length: 500 }, (_, index) =>
      [forge.base62(24), forge.hex(32), forge.lowerDigits(32), forge.base64(40)].at(index % 4),
    ).filter((value) => value !== undefined);
    const accepted = generated.filter((value) => !isPlaceholder(value) && looksRandom(value));
    expect(accepted.length / generated.length).toBeGreaterThan(0.98);
  });

  test.each([
    'getUserToken',
    'hasCallWithArguments',
    'bert-base-uncased',
    'refresh_token_cookie',
    'application/json',
    'aaaaaaaaaaaaaaaa',
  ])('does not take %s for random', (value) => expect(looksRandom(value)).toBe(false));

  test.each(['hunter2', 'Kiwi#2291', 'tR4vel-Lamp!77'])('takes %s for a chosen password', (value) => {
    expect(looksLikePassword(value)).toBe(true);
  });

  test.each(['Password', 'Passwort:', 'Contraseña', 'Mot de passe 2', '123456', 'abc'])(
    'does not take %s for a chosen password',
    (value) => expect(looksLikePassword(value)).toBe(false),
  );

  test('measures entropy in bits a character', () => {
    expect(entropy('aaaa')).toBe(0);
    expect(entropy('abab')).toBe(1);
    expect(entropy('abcd')).toBe(2);
    expect(entropy('')).toBe(0);
  });
});

describe('namedSecret', () => {
  test.each([
    ['DB_PASSWORD', 'password'],
    ['spring.datasource.password', 'password'],
    ['clientSecret', 'generated'],
    ['x-api-key', 'generated'],
    ['PASSWORD_2', 'password'],
    ['passwordField', undefined],
    ['secretName', undefined],
    ['max_tokens', undefined],
    ['publicKey', undefined],
    ['compass', undefined],
    ['ACCESS_TOKEN_EXPIRE_MINUTES', undefined],
  ])('reads %s as %s', (name, kind) => expect(namedSecret(name)).toBe(kind));
});
