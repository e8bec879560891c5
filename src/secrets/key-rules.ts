import { isPlaceholder, looksRandom } from './likelihood.ts';
import type { SecretRange, SecretRule } from './secret-rule.ts';

/** The longest key that is looked for between its two marker lines; the largest in use are a fifth of it. */
const maxKeyLength = 65_536;

/** Private keys in files, strings, configuration and mail; the marker lines stay readable. */
export const keyRules: readonly SecretRule[] = [
  {
    name: 'private-key',
    anchors: ['-----BEGIN '],
    pattern: /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/dy,
    locate: (text, match) => keyBody(text, match.index + match[0].length),
  },
  {
    name: 'private-key',
    anchors: ['---- BEGIN SSH2'],
    pattern: /---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----/dy,
    locate: (text, match) => keyBody(text, match.index + match[0].length),
  },
  {
    name: 'putty-key',
    anchors: ['Private-Lines: '],
    pattern:
      /Private-Lines: \d{1,4}\s{1,4}((?:[A-Za-z0-9+/=]{1,256}\r?\n[ \t]{0,16}){0,512}[A-Za-z0-9+/=]{8,256})/dy,
  },
  { name: 'putty-key', anchors: ['Private-MAC: '], pattern: /Private-MAC: ([0-9a-f]{40,64})/dy },
  {
    name: 'private-key',
    anchors: ['"d":'],
    pattern: /"d":\s{0,8}"([\w-]{40,1024})"/dy,
    accepts: (secret) => !isPlaceholder(secret) && looksRandom(secret),
  },
];

function keyBody(text: string, from: number): SecretRange | undefined {
  const dashes = text.indexOf('----', from);
  const closed =
    dashes !== -1 && dashes - from <= maxKeyLength && text.slice(dashes, dashes + 10).includes('END');
  return (closed ? bodyBeforeEnd(text, from, dashes) : undefined) ?? bodyWithoutEnd(text, from);
}

/** Everything between the markers, headers included, unless it is code or dots that merely mention both of them. */
function bodyBeforeEnd(text: string, from: number, to: number): SecretRange | undefined {
  const between = text.slice(from, to);
  const encoded = between.match(/[A-Za-z0-9+/=]{16,}/g)?.reduce((sum, run) => sum + run.length, 0) ?? 0;
  if (encoded < 24 || encoded < between.replace(/\s+/g, '').length / 2) return undefined;
  const lead = /^(?:\s|\\[nrt]|["'`+,>#*|/])*/.exec(between)?.[0].length ?? 0;
  const body = between.slice(lead).replace(/(?:\s|\\+[nrt]?|["'`+,>#*|])+$/, '');
  return { start: from + lead, end: from + lead + body.length };
}

const separatorSource = String.raw`(?:\s|\\{1,2}[nrt]|["'\x60+,>#*|]|//){0,64}`;
const headerPattern = /(?:(?:\s|\\{1,2}[nr])+[A-Z][A-Za-z-]{2,24}: [^\r\n\\]{1,200})*/y;
const runPattern = new RegExp(`${separatorSource}([A-Za-z0-9+/=]+)`, 'dy');

/** The encoded lines after a marker whose counterpart is missing; prose that follows them is left alone. */
function bodyWithoutEnd(text: string, from: number): SecretRange | undefined {
  headerPattern.lastIndex = from;
  let position = from + (headerPattern.exec(text)?.[0].length ?? 0);
  let start = -1;
  let end = -1;
  while (position - from < maxKeyLength) {
    runPattern.lastIndex = position;
    const [, run] = runPattern.exec(text)?.indices ?? [];
    if (run === undefined) break;
    const isLine = run[1] - run[0] >= 16;
    const closesBody = end !== -1 && isLastLine(text, position, run);
    if (!isLine && !closesBody) break;
    if (start === -1) start = run[0];
    end = run[1];
    if (!isLine) break;
    position = run[1];
  }
  return start === -1 ? undefined : { start, end };
}

/** A short line can end a body if it directly follows a full one and nothing else stands on it. */
function isLastLine(text: string, from: number, [start, end]: [number, number]): boolean {
  const isNextLine = /^[^\n]*(?:\n|\\n)[^\n]*$/.test(text.slice(from, start));
  return isNextLine && /^[\r\n"'`\\,;]?$/.test(text.charAt(end));
}
