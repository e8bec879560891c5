import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draws } from '../../test/property-draws.ts';
import { sample } from '../../test/samples.ts';
import { findSecrets } from './find-secrets.ts';
import { createForge } from './forge.fixture.ts';
import { redactSecrets } from './redact-secrets.ts';

const forge = createForge(31);
const fragments = [
  'password=',
  'api_key: "',
  'token',
  '"',
  "'",
  '\n',
  '\r\n',
  '\u2028',
  ' ',
  ';',
  '://ida:',
  '@host/',
  '█',
  'REDACTED',
  '-',
  '.',
  'Bearer ',
  'Pwd=',
  'Basic ',
  '\\n',
  '=',
  ':',
  '<password>',
  '</',
  '😀',
  'é',
  'Hello world',
  '\ud83d',
  forge.base62(8),
  forge.base62(20),
  forge.base64(64),
  forge.hex(32),
  forge.uuid(),
  forge.jwt(),
  'hunter2',
  'Kiwi#2291',
  `gh${'p_'}${forge.base62(36)}`,
  `AK${'IA'}${forge.upperDigits(16)}`,
  `xo${'xb-'}${forge.base62(30)}`,
  forge.keyMarker('BEGIN', 'RSA'),
  forge.keyMarker('END', 'RSA'),
  'Private-Lines: 2\n',
  'curl -u a:',
];
const hostileText = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...fragments) }, fc.string({ unit: 'binary' })), {
    maxLength: 24,
  })
  .map((parts) => parts.join(''));
const lineBreaks = (text: string) =>
  [...text.matchAll(/[\r\n\u2028\u2029]/g)].map((match) => [match.index, match[0]]);

describe('redactSecrets', () => {
  test('spells REDACTED over a long secret and blocks over a short one', () => {
    const long = forge.base62(20);
    expect(redactSecrets(`API_KEY=${long}\npassword: "hunter2"`)).toEqual({
      text: `API_KEY=REDACTED${'█'.repeat(12)}\npassword: "███████"`,
      found: [{ rule: 'assigned-secret', count: 2 }],
    });
  });

  test('returns a text without secrets as it is', () => {
    const text = 'Plain prose about tokens, keys and passwords.\r\n';
    expect(redactSecrets(text)).toEqual({ text, found: [] });
  });

  test('keeps the length and every line break', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const redacted = redactSecrets(text).text;
        expect(redacted.length).toBe(text.length);
        expect(lineBreaks(redacted)).toEqual(lineBreaks(text));
      }),
      { numRuns: draws(500) },
    );
  });

  test('changes nothing the second time', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const once = redactSecrets(text).text;
        expect(redactSecrets(once)).toEqual({ text: once, found: [] });
      }),
      { numRuns: draws(1000) },
    );
  });

  test('leaves no character of a finding and touches nothing when there is none', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const redacted = redactSecrets(text).text;
        const spans = findSecrets(text);
        if (spans.length === 0) expect(redacted).toBe(text);
        for (const { start, end } of spans) {
          expect(redacted.slice(start, end)).toMatch(/^(?:REDACTED)?[█\r\n\u2028\u2029]*$/);
        }
      }),
      { numRuns: draws(500) },
    );
  });

  test('yields findings that are ordered, inside the text and apart from each other', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        let position = 0;
        for (const { start, end } of findSecrets(text)) {
          expect(start).toBeGreaterThanOrEqual(position);
          expect(end).toBeGreaterThan(start);
          position = end;
        }
        expect(position).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: draws(500) },
    );
  });

  test('finds nothing before the name when the value after it is no literal', () => {
    const text = 'secret99 $x; password = (1)';
    expect(redactSecrets(text)).toEqual({ text, found: [] });
  });

  test('counts the secrets of a large text', () => {
    const line = `log line with nothing to hide, and then gh${'p_'}${forge.base62(36)} at its end\n`;
    const { text, found } = redactSecrets(line.repeat(20_000));
    expect(found).toEqual([{ rule: 'github-token', count: 20_000 }]);
    expect(text.length).toBe(line.length * 20_000);
  });

  test.each(
    sample(3, [
      'a',
      '=',
      'eyJ-',
      '-eyJaaaaaaaa.eyJaaaaaaaa.',
      'password=',
      '"password": "',
      'pwd=',
      'pass',
      '-----BEGIN ',
      forge.keyMarker('BEGIN', 'RSA'),
      '://a:',
      '://a:b@',
      'xoxb-',
      'sk-proj-',
      'SG.',
      'Private-Lines: 9\n',
      'A\n',
      'Basic AAAAAAAA',
      'curl -u a',
      'AccountKey=',
      'token = "\\',
      'secret: string ',
      'Comment: x\n',
      '1Q~',
      '00000000:AA',
    ]),
  )('reads a long text of near misses in linear time: %j', (nearMiss) => {
    const text = nearMiss.repeat(Math.ceil(draws(1_000_000) / nearMiss.length));
    expect(redactSecrets(text).text.length).toBe(text.length);
  });
});
