const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** A path as it is, from how git writes it: in quotation marks, with escapes, where it has characters that would mislead. */
export function unquoted(written: string): string {
  if (!/^".*"$/s.test(written)) return written;
  const bytes: Buffer[] = [];
  for (const [, octal, letter, plain = ''] of written
    .slice(1, -1)
    .matchAll(/\\([0-3][0-7]{2})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8)]));
    else if (letter !== undefined) bytes.push(Buffer.from([escapes[letter] ?? letter.charCodeAt(0)]));
    else bytes.push(Buffer.from(plain));
  }
  return Buffer.concat(bytes).toString('utf8');
}
