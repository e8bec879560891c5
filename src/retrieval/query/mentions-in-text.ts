import type { PathMention } from './path-mention.ts';
import { innermostFirst } from './stack-trace.ts';

// A path has a separator or an ending of a few letters; `e.g.` and `v1.2` have neither, and an address is not a path.
// Letters of scripts without spaces are excluded, because the end of the path would be unknown. No character of a path may
// come before the match, so that a long path is tried once and not from each of its characters.
const pathLetter = '\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{M}\\p{Nd}_';
const pathPattern = new RegExp(
  `(?<![${pathLetter}@/\\\\.:~\\-])(?:[A-Za-z]:)?(?:\\.{0,2}[/\\\\]{1,2})?(?:[${pathLetter}@.~\\-]+[/\\\\])*` +
    `[${pathLetter}@~\\-][${pathLetter}@.~\\-]*\\.[A-Za-z][A-Za-z0-9]{0,7}(?::(\\d{1,9}))?(?::\\d{1,9})?(?![${pathLetter}/\\\\])`,
  'gu',
);

/**
 * A line number after a path, in other forms than `:3`: `", line 3`, `:line 3`, ` on line 3`, `: line 3`;
 * `(3)`, `(3,4)`, `(3:4)`; `#L3`.
 */
const linePattern =
  /["'`”’]?[,:]?[ \t]{0,2}\(?(?:(?:on|at) )?lines? (\d{1,9})(?!\d)|\((\d{1,9})(?:[,:]\d{1,9}){0,3}\)|#L(\d{1,9})(?!\d)/y;

/** A stack trace names many files; the innermost calls matter most. */
const maxMentions = 8;

/** The places that a text mentions, in their order; those of a stack trace begin with the innermost call. */
export function mentionsIn(text: string): PathMention[] {
  const written = withoutAddresses(text);
  const mentions = new Map<string, PathMention>();
  for (const match of innermostFirst(written, [...written.matchAll(pathPattern)])) {
    const path = plainPath(match[0]);
    const end = match.index + match[0].length;
    if (!isLikelyPath(path) || isCall(path, written, end)) continue;
    const line = match[1] === undefined ? lineAt(written, end) : Number(match[1]);
    // In a stack trace the first line of a file is the innermost one.
    if (!mentions.has(path) || (line !== undefined && mentions.get(path)?.line === undefined))
      mentions.set(path, { path, ...(line !== undefined && { line }) });
  }
  return [...mentions.values()].slice(0, maxMentions);
}

/** The path without drive, leading dots and slashes, and line; its separators are slashes. */
function plainPath(written: string): string {
  return written
    .replace(/(:\d+)+$/, '')
    .replace(/^[A-Za-z]:/, '')
    .replaceAll('\\', '/')
    .replace(/^(\.{0,2}\/)+/, '');
}

function lineAt(text: string, place: number): number | undefined {
  linePattern.lastIndex = place;
  const found = linePattern.exec(text);
  const digits = found?.[1] ?? found?.[2] ?? found?.[3];
  return digits === undefined ? undefined : Number(digits);
}

const addressPattern = /\b(?:file:\/\/|webpack(?:-internal)?:\/\/|https?:\/\/|package:)[^\s()"'<>]*/g;

/** The text with each address of a file (`file:///…`, `package:…`) replaced by its path, and without other addresses. */
function withoutAddresses(text: string): string {
  return text.replace(addressPattern, (address) => {
    // What a web page is asked for (`?file=/index.js`) is no path of this project.
    return ` ${pathOfAddress(address) ?? ''}`;
  });
}

function pathOfAddress(address: string): string | undefined {
  // Before a drive there is one slash more: file:///C:/app/main.ts
  if (address.startsWith('file:'))
    return decoded(address.replace(/^file:\/\/(?:localhost)?(?:\/(?=[A-Za-z]:))?/, ''));
  if (address.startsWith('webpack')) return address.replace(/^[^/]*\/\/[^/]*\//, '');
  // The package's folder `lib` is left out in it: package:store/open.dart
  if (address.startsWith('package:')) return address.replace(/^package:[^/]*\//, '');
  // Web pages have addresses too: only an address with line and column is that of a script.
  const place = /:\d{1,9}:\d{1,9}(?=[.,;:]?$)/.exec(address);
  if (!place) return undefined;
  return (
    decoded(
      address
        .slice(0, place.index)
        .replace(/^https?:\/\/[^/]*/, '')
        .replace(/[?#].*$/, ''),
    ) + place[0]
  );
}

/** A name with spaces stays as it is: only its last word would be read as a path. */
function decoded(address: string): string {
  try {
    const plain = decodeURIComponent(address);
    return /\s/.test(plain) ? address : plain;
  } catch {
    // A "%" that stands for no character is one.
    return address;
  }
}

/** `res.send` is a call, `application.js` a file: without a folder, the ending has to be one that files have. */
function isLikelyPath(path: string): boolean {
  return path.includes('/') || hasFileEnding(path);
}

/** `java.base/java.lang.Thread.run(Thread.java:9)`, `example.org/store.Open(0x1)`: a function, and what it was given. */
function isCall(path: string, text: string, end: number): boolean {
  return text[end] === '(' && lineAt(text, end) === undefined && !(path.includes('/') && hasFileEnding(path));
}

function hasFileEnding(path: string): boolean {
  return fileEndings.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}

const fileEndings: ReadonlySet<string> = new Set(
  (
    'adoc bash bat c cc cfg cjs clj conf cpp cs css csv cts cxx dart eml env erl ex exs go gradle graphql groovy h hpp ' +
    'hs htm html ini ipynb java jl js json jsonl jsx kt kts less log lua m md mdx mjs ml mm mts pdf php pl proto ps1 py ' +
    'pyi r rb rs rst sass scala scss sh sql svelte swift tex tf toml ts tsv tsx txt vb vue xml yaml yml zig'
  ).split(' '),
);
