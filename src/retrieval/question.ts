import type { QuestionKind } from '../core/question.ts';
import { identifierParts, looksLikeIdentifier, queryTerms } from '../core/terms.ts';

/** A place that a question mentions: `src/store.ts`, `store.ts:42`. */
export interface PathMention {
  readonly path: string;
  readonly line?: number;
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
const pathPattern =
  /(?<![\w@/\\.:-])(?:[A-Za-z]:)?(?:\.{0,2}[/\\])?(?:[\w@.~-]+[/\\])*[\w@~-][\w@.~-]*\.[A-Za-z][A-Za-z0-9]{0,7}(?::(\d+))?(?::\d+)?(?![\w/\\])/g;

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
    mentions.set(path, { path, ...(line !== undefined && { line }) });
  }
  return [...mentions.values()].slice(0, mostMentions);
}

/** A stack trace names many files; those at its top matter. */
const mostMentions = 8;

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
  if (errorPattern.test(text) || tracePattern.test(text)) return 'error';
  if (words.length === 1 || (words.length === 2 && words.every(looksLikeIdentifier))) return 'symbol';
  return namePattern.test(text) ? 'named' : 'plain';
}

// `TypeError: x is not a function`, `error TS2345: …`, `fatal: …`, `ENOENT: …`, `panic: …`
const errorPattern =
  /(?:^|\s)(?:[A-Za-z.]*(?:Error|Exception|Warning)|fatal|panic|error(?:\[?\s?[A-Z]+\d+\]?)?|E[A-Z]{4,}):\s/;
// `at run (file.js:3:7)`, `File "run.py", line 3`
const tracePattern = /\bat .+\(?[^\s()]+:\d+:\d+\)?|File ".+", line \d+/;
// A capital within a sentence: somebody or something with a name, which has to be found as it is written.
const namePattern = /(?<=[^\s.?!:]\s+)["'(]?\p{Lu}\p{Ll}+(?![\p{L}\p{N}_]*\p{Lu})/u;

function quotedIn(text: string): string[] {
  const found = [...text.matchAll(/"([^"]{2,200})"|“([^”]{2,200})”|`([^`]{2,200})`/g)].map(
    ([, straight, curly, code]) => straight ?? curly ?? code ?? '',
  );
  return [...new Set(found.map((quote) => quote.trim()).filter((quote) => quote.length > 1))];
}
