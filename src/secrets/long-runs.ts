import type { SecretRange } from './secret-rule.ts';

/** The fewest characters in a row that a token is made of. */
export const minTokenLength = 20;

const isTokenCharacter = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w+/=.~-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * Yields the stretches of at least `minTokenLength` letters, digits and `_+/=.~-`. Looks at every twentieth character
 * and only reads on where it is one of these, so that ordinary text is passed over quickly.
 */
export function* longRuns(text: string): Generator<SecretRange> {
  let from = 0;
  for (let probe = minTokenLength - 1; probe < text.length; ) {
    if (isTokenCharacter[text.charCodeAt(probe)] !== 1) {
      from = probe + 1;
      probe += minTokenLength;
      continue;
    }
    let start = probe;
    while (start > from && isTokenCharacter[text.charCodeAt(start - 1)] === 1) start -= 1;
    let end = probe + 1;
    while (isTokenCharacter[text.charCodeAt(end)] === 1) end += 1;
    if (end - start >= minTokenLength) yield { start, end };
    from = end;
    probe = end + minTokenLength;
  }
}
