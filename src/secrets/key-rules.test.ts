import { describe, expect, test } from 'vitest';
import { createForge } from './forge.fixture.ts';
import { redactSecrets } from './redact-secrets.ts';

const forge = createForge(99);
const begin = (kind: string, tail?: string) => forge.keyMarker('BEGIN', kind, tail);
const end = (kind: string, tail?: string) => forge.keyMarker('END', kind, tail);
const visible = (text: string) => redactSecrets(text).text.replaceAll(/(?:REDACTED)?█+/g, '#');

describe('private keys', () => {
  test.each(['', 'RSA', 'EC', 'DSA', 'OPENSSH', 'ENCRYPTED'])(
    'hides the body of a %s key between its markers',
    (kind) => {
      const text = `before\n${begin(kind)}\n${forge.keyBody(3)}\n${end(kind)}\nafter`;
      expect(visible(text)).toBe(`before\n${begin(kind)}\n#\n#\n#\n${end(kind)}\nafter`);
    },
  );

  test('hides a PGP block with its headers and checksum', () => {
    const body = `Version: 2\n\n${forge.keyBody(2)}\n=${forge.base64(4)}`;
    const text = `${begin('PGP', ' BLOCK')}\n${body}\n${end('PGP', ' BLOCK')}`;
    expect(visible(text)).toBe(`${begin('PGP', ' BLOCK')}\n#\n\n#\n#\n#\n${end('PGP', ' BLOCK')}`);
  });

  test('hides a key with escaped line breaks inside a JSON string and keeps the JSON valid', () => {
    const text = JSON.stringify({ private_key: `${begin('')}\n${forge.keyBody(20)}\n${end('')}\n`, id: 'a' });
    const { private_key: key, id } = JSON.parse(redactSecrets(text).text);
    expect(key).toMatch(/-----\nREDACTED█+\n-----/);
    expect(id).toBe('a');
  });

  test('hides the lines of a key that is cut off at the end of the text', () => {
    const text = `${begin('RSA')}\r\n${forge.base64(64)}\r\n${forge.base64(64)}\r\n${forge.base64(9)}`;
    expect(visible(text)).toBe(`${begin('RSA')}\r\n#\r\n#\r\n#`);
  });

  test('leaves the prose after a key without an end alone', () => {
    const text = `${begin('EC')}\n${forge.base64(64)}\n${forge.base64(64)}\n\nPlease do not share this key with anyone.`;
    expect(visible(text)).toBe(`${begin('EC')}\n#\n#\n\nPlease do not share this key with anyone.`);
  });

  test('hides a truncated key with encryption headers', () => {
    const headers = `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${forge.hex(32)}`;
    expect(visible(`${begin('RSA')}\n${headers}\n\n${forge.keyBody(3)}`)).toBe(
      `${begin('RSA')}\n${headers}\n\n#\n#\n#`,
    );
  });

  test.each([
    `if (text.startsWith('${begin('RSA')}')) return parsePrivateKey(text);`,
    `pem.replace('${begin('')}', '').replace('${end('')}', '')`,
    `${begin('')}\n...\n${end('')}`,
    `${begin('RSA')}\n`,
  ])('leaves a mention of the markers alone: %s', (text) => {
    expect(redactSecrets(text)).toEqual({ text, found: [] });
  });
});
