import type { Deadline } from '../bounds.ts';

/** What RTF is made of; each character is a byte of the file. */
export type RtfToken =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'word'; readonly name: string; readonly value: number | undefined }
  | { readonly kind: 'bytes'; readonly bytes: string };

/** Tokens between two looks at the clock. */
const tokensAtOnce = 10_000;

/** The tokens of RTF up to the end of the time; binary data is passed over. */
export function* rtfTokens(rtf: string, deadline: Deadline): Generator<RtfToken> {
  const pattern =
    /[{}]|\\(?:([a-zA-Z]{1,32})(-?\d{1,10})? ?|'([\da-fA-F]{2})|([^a-zA-Z]))|[^\\{}\r\n]+|[\r\n]+|\\/gs;
  let count = 0;
  for (let match = pattern.exec(rtf); match; match = pattern.exec(rtf)) {
    count += 1;
    if (count % tokensAtOnce === 0 && deadline.passed()) return;
    const [text, name, value, hex, sign] = match;
    if (text === '{') yield { kind: 'open' };
    else if (text === '}') yield { kind: 'close' };
    else if (name === 'bin') pattern.lastIndex += Math.max(0, Number(value ?? 0));
    else if (name !== undefined)
      yield { kind: 'word', name, value: value === undefined ? undefined : Number(value) };
    else if (hex !== undefined) yield { kind: 'bytes', bytes: String.fromCharCode(Number.parseInt(hex, 16)) };
    else if (sign !== undefined) yield { kind: 'word', name: sign, value: undefined };
    else if (!/^[\r\n\\]/.test(text)) yield { kind: 'bytes', bytes: text };
  }
}
