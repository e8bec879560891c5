import { draws } from '../core/draws.ts';
import { alphabets, type TokenTemplate, templateParts } from './token-template.ts';

/**
 * Forges strings in the shape of real secrets. They are made at run time from a seed and from parts, so that no file
 * of the repository holds a string that a scanner of live secrets would stop, and none was ever issued by anyone.
 */
export interface Forge {
  /** `length` characters of an alphabet, the same for the same seed and order of calls. */
  from(alphabet: string, length: number): string;
  /** Letters and digits; holds at least one digit, one upper-case and one lower-case letter from three on. */
  base62(length: number): string;
  base64(length: number): string;
  urlSafe(length: number): string;
  hex(length: number): string;
  lowerDigits(length: number): string;
  upperDigits(length: number): string;
  digits(length: number): string;
  uuid(): string;
  /** Base64 lines of 64 characters with the last one cut short, joined by `newline`. */
  keyBody(lines: number, newline?: string): string;
  /** The line that opens a private key of a kind such as `RSA`, or the line that closes it. */
  keyMarker(edge: 'BEGIN' | 'END', kind: string, tail?: string): string;
  /** A signed JSON Web Token. */
  jwt(): string;
  /** A token in the form of a template, as short as the form allows. */
  token(template: TokenTemplate): string;
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digit = '0123456789';

/** A forge whose output depends on the seed alone. */
export function createForge(seed: number): Forge {
  const random = draws(seed);
  const from = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
  const mixed = (alphabet: string, length: number) => {
    for (;;) {
      const candidate = from(alphabet, length);
      if (length < 3 || (/\d/.test(candidate) && /[A-Z]/.test(candidate) && /[a-z]/.test(candidate))) {
        return candidate;
      }
    }
  };
  const hex = (length: number) => from(`${digit}abcdef`, length);
  const urlSafe = (length: number) => mixed(`${lower}${upper}${digit}_-`, length);
  const base64 = (length: number) => mixed(`${lower}${upper}${digit}+/`, length);
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = (template: TokenTemplate) =>
    templateParts(template)
      .map((part) => ('literal' in part ? part.literal : from(spelled(part.alphabet), part.min)))
      .join('');
  return {
    from,
    token,
    base62: (length) => mixed(`${lower}${upper}${digit}`, length),
    base64,
    urlSafe,
    hex,
    lowerDigits: (length) => from(`${lower}${digit}`, length),
    upperDigits: (length) => from(`${upper}${digit}`, length),
    digits: (length) => from('123456789', 1) + from(digit, length - 1),
    uuid: () => [hex(8), hex(4), `4${hex(3)}`, `a${hex(3)}`, hex(12)].join('-'),
    keyBody: (lines, newline = '\n') =>
      [...Array.from({ length: lines - 1 }, () => base64(64)), `${base64(37)}=`].join(newline),
    keyMarker: (edge, kind, tail = '') =>
      ['-----', edge, kind === '' ? '' : ` ${kind}`, ' PRIVATE', ' KEY', tail, '-----'].join(''),
    jwt: () => {
      const payload = encoded({ sub: from(digit, 8), name: from(lower, 9), exp: 1790000000 });
      return [encoded({ alg: 'HS256', typ: 'JWT' }), payload, urlSafe(43)].join('.');
    },
  };
}

/** The characters of an alphabet, one by one, without the padding, which only ends a token. */
function spelled(name: string): string {
  return (alphabets[name] ?? '').replace('=', '').replace(/(\w)-(\w)/g, (_, first: string, last: string) => {
    const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
    return String.fromCharCode(...Array.from({ length: to - from + 1 }, (_unused, index) => from + index));
  });
}
