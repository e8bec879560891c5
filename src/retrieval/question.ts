import type { QuestionKind } from '../core/question.ts';
import { identifierParts, looksLikeIdentifier, queryTerms } from '../core/terms.ts';

/** A place that a question mentions: `src/store.ts`, `store.ts:42`. */
export interface PathMention {
  readonly path: string;
  readonly line?: number;
  /** The documents that are meant; absent while nobody has looked them up. */
  readonly uris?: ReadonlySet<string>;
}

/** A question with everything that ranking wants to know of it. */
export interface Question {
  readonly text: string;
  /** Decides how far each searcher is trusted and which rules may speak. */
  readonly kind: QuestionKind;
  /** Words of the question that name code, in lower case without separators. */
  readonly names: ReadonlySet<string>;
  /** Words that tell something, in lower case, each once; very short ones are left out. */
  readonly words: readonly string[];
  readonly paths: readonly PathMention[];
  /** Texts in quotation marks, as they stand. */
  readonly quoted: readonly string[];
}

/** Reads a question. It never fails: what looks like nothing else is a plain question. */
export function readQuestion(text: string): Question {
  const trimmed = text.trim();
  const paths = pathsIn(trimmed);
  const kind = kindOf(trimmed, paths);
  const words = trimmed.split(/[^\p{L}\p{N}_$]+/u).filter(Boolean);
  const named = kind === 'symbol' ? words : words.filter(looksLikeIdentifier);
  return {
    text: trimmed,
    kind,
    names: new Set(named.map(plainName)),
    words: [...new Set(queryTerms(trimmed))].filter((word) => word.length > 1),
    paths,
    quoted: quotedIn(trimmed),
  };
}

/** `putDocument`, `put_document` and `PutDocument` are one name. */
export function plainName(name: string): string {
  return identifierParts(name).join('');
}

// A path has a separator or an ending of a few letters; `e.g.` and `v1.2` have neither, an address is no path.
// Scripts that write without spaces have no part in one: nobody could tell where it ends. Whatever may stand in a path
// may not stand before one, or each character of a long one would be a beginning to try.
const pathLetter = '\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{M}\\p{Nd}_';
const pathPattern = new RegExp(
  `(?<![${pathLetter}@/\\\\.:~\\-])(?:[A-Za-z]:)?(?:\\.{0,2}[/\\\\])?(?:[${pathLetter}@.~\\-]+[/\\\\])*` +
    `[${pathLetter}@~\\-][${pathLetter}@.~\\-]*\\.[A-Za-z][A-Za-z0-9]{0,7}(?::(\\d+))?(?::\\d+)?(?![${pathLetter}/\\\\])`,
  'gu',
);

function pathsIn(text: string): PathMention[] {
  const mentions = new Map<string, PathMention>();
  for (const match of text.matchAll(pathPattern)) {
    const path = match[0]
      .replace(/(:\d+)+$/, '')
      .replace(/^[A-Za-z]:/, '')
      .replaceAll('\\', '/')
      .replace(/^(\.{0,2}\/)+/, '');
    if (!isLikelyPath(path)) continue;
    const line = match[1] === undefined ? undefined : Number(match[1]);
    // The first line that is named of a file is the one at the top of a stack trace.
    if (!mentions.has(path) || (line !== undefined && mentions.get(path)?.line === undefined))
      mentions.set(path, { path, ...(line !== undefined && { line }) });
  }
  return [...mentions.values()].slice(0, mostMentions);
}

/** A stack trace names many files; those at its top matter. */
const mostMentions = 8;
/** Each is looked for in the whole index. */
const mostQuotes = 8;

/** `res.send` is a call, `application.js` a file: without a folder, the ending has to be one that files have. */
function isLikelyPath(path: string): boolean {
  return path.includes('/') || fileEndings.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}

const fileEndings: ReadonlySet<string> = new Set(
  (
    'adoc bash bat c cc cfg cjs clj conf cpp cs css csv cts cxx dart eml env ex exs go gradle graphql h hpp hs htm ' +
    'html ini ipynb java jl js json jsonl jsx kt kts less log lua m md mdx mjs ml mm mts pdf php pl proto ps1 py pyi r ' +
    'rb rs rst sass scala scss sh sql svelte swift tex tf toml ts tsv tsx txt vue xml yaml yml zig'
  ).split(' '),
);

function kindOf(text: string, paths: readonly PathMention[]): QuestionKind {
  const words = text.split(/\s+/);
  if (paths.length === 1 && words.length === 1) return 'path';
  if (errorPattern.test(text) || isTrace(text)) return 'error';
  if (words.length === 1) return spacelessPattern.test(text) ? 'plain' : 'symbol';
  if (words.length === 2 && words.every(looksLikeIdentifier)) return 'symbol';
  return words.some((word, index) => isName(word, words[index - 1])) ? 'named' : 'plain';
}

// Several words of a script that puts no space between them: a sentence, and no name.
const spacelessPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]{7}/u;

// `TypeError: x is not a function`, `error TS2345: …`, `fatal: …`, `ENOENT: …`, `panic: …`
const errorPattern =
  /(?:^|\s)(?:[A-Za-z.]*(?:Error|Exception|Warning)|fatal|panic|error(?:\[?\s?[A-Z]+\d+\]?)?|E[A-Z]{4,}):\s/;

/** `at run (file.js:3:7)`, `File "run.py", line 3`; in two steps, as one expression would try each end for each beginning. */
function isTrace(text: string): boolean {
  if (/File "[^"\n]+", line \d/.test(text)) return true;
  return text.split('\n').some((line) => {
    const start = line.search(/\bat /);
    return start >= 0 && /[^\s()]:\d{1,9}:\d/.test(line.slice(start + 3));
  });
}

/** A capital within a sentence: somebody or something with a name, which has to be found as it is written. */
function isName(word: string, before: string | undefined): boolean {
  if (before === undefined || /[.?!:]$/.test(before)) return false;
  const [, rest] = /^["'(]?\p{Lu}\p{Ll}+([\p{L}\p{N}_]*)/u.exec(word) ?? [];
  return rest !== undefined && !/\p{Lu}/u.test(rest);
}

function quotedIn(text: string): string[] {
  const found = [...text.matchAll(/"([^"]{2,200})"|“([^”]{2,200})”|`([^`]{2,200})`/g)].map(
    ([, straight, curly, code]) => straight ?? curly ?? code ?? '',
  );
  const distinct = new Set(found.map((quote) => quote.trim()).filter((quote) => quote.length > 1));
  return [...distinct].slice(0, mostQuotes);
}
