import type { QueryKind } from '../../core/query.ts';
import { identifierParts, looksLikeIdentifier, plainWords, queryTerms } from '../../core/text/terms.ts';
import { askedName, isName } from './asked-name.ts';
import { distinctiveText } from './distinctive-text.ts';
import { errorPattern } from './error-pattern.ts';
import { mentionsIn } from './mentions-in-text.ts';
import type { PathMention } from './path-mention.ts';
import { isStackTrace } from './stack-trace.ts';

/** A query with everything that ranking needs to know about it. */
export interface AnalysedQuery {
  /** What is searched for: the query, or the distinctive parts of a long one. */
  readonly text: string;
  /** Decides how much each searcher counts and which rules apply. */
  readonly kind: QueryKind;
  /** Words of the query that name code, in lower case without separators. */
  readonly names: ReadonlySet<string>;
  /** The name whose definition is meant, as it is written, with its owner where that was given: the query, or what a question asks for and nothing else; else empty. */
  readonly defined: string;
  /** Words other than stop words, in lower case, each once; very short ones are left out. */
  readonly words: readonly string[];
  readonly paths: readonly PathMention[];
  /** Texts in quotation marks, unchanged. */
  readonly quoted: readonly string[];
  /** The words of a query that is nothing but a few words, or the name that a question asks for and nothing else: `where is …`, `what does … mean?`; else none. */
  readonly keywords: readonly string[];
  /** Names within a sentence that prose has not, such as `E0425`, `bats_pipe` or `SIGTERM`: the plain words of each. */
  readonly codeNames: readonly (readonly string[])[];
  /** The query in lower case where it may stand somewhere as it is, such as the text of an error; else empty. */
  readonly literal: string;
}

/** Analyses a query. It never fails: what looks like nothing else is a plain query. */
export function analyseQuery(text: string): AnalysedQuery {
  const trimmed = text.trim();
  const name = askedName(trimmed);
  if (name === undefined) return analysed(trimmed);
  return { ...analysed(name), defined: name, literal: literalOf(trimmed) };
}

function analysed(trimmed: string): AnalysedQuery {
  const paths = mentionsIn(trimmed);
  const kind = kindOf(trimmed, paths);
  const distinctive = distinctiveText(trimmed);
  const words = distinctive.split(/[^\p{L}\p{N}_$]+/u).filter(Boolean);
  const named = mayBeName(kind) ? words : words.filter(looksLikeIdentifier);
  return {
    text: distinctive,
    kind,
    names: new Set(named.map(plainName)),
    defined: isName(trimmed) ? trimmed : '',
    words: [...new Set(queryTerms(distinctive))].filter((word) => word.length > 1),
    paths,
    quoted: quotedIn(trimmed),
    keywords: keywordsIn(trimmed),
    codeNames: codeNamesIn(trimmed),
    literal: literalOf(trimmed),
  };
}

/** `putDocument`, `put_document` and `PutDocument` are one name. */
export function plainName(name: string): string {
  return identifierParts(name).join('');
}

/** Whether the whole query may be a name: a plain word is searched like one, since code may define it. */
export function mayBeName(kind: QueryKind): boolean {
  return kind === 'symbol' || kind === 'word';
}

const maxKeywords = 3;

function keywordsIn(text: string): string[] {
  const written = text.split(/\s+/);
  const words = queryTerms(text);
  const significant = written.filter((word) => queryTerms(word).some((term) => words.includes(term)));
  const isSentence = significant.length < written.length;
  const isAsking = isSentence && written.length <= maxAsked && askingPattern.test(text);
  const isFew =
    !isSentence && written.length > 1 && written.every((word) => /^[\p{L}\p{N}_$.-]+$/u.test(word));
  const meant = isAsking
    ? significant.filter((word) => !askingWords.has(word.toLowerCase().replace(/\W+$/, '')))
    : significant;
  const isOneName = meant.length === 1 || meant.every((word) => !/^\p{Ll}+\W*$/u.test(word));
  if (isAsking ? !isOneName : !isFew) return [];
  if (meant.length > maxKeywords) return [];
  return [...new Set(plainWords(meant.join(' ')))].filter((word) => word.length > 1);
}

/** Each is looked for in every chunk that was found. */
const maxCodeNames = 8;
// Letters with an underscore, a digit or a capital within, four capitals, or an option; neither `2nd` nor `10ms`.
const codeNamePattern =
  /^--?\p{L}[\p{L}\p{N}-]+$|[\p{L}\p{N}]_[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{L}[.:-]?\d|\d\p{Lu}|\d\p{L}+\d|^\p{Lu}[\p{Lu}\d]{3,}$/u;

function codeNamesIn(text: string): string[][] {
  const written = text.split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}_$-]+|[^\p{L}\p{N}_$]+$/gu, ''));
  // Who writes in capitals names nothing by them.
  if (written.length < 2 || text === text.toUpperCase()) return [];
  const names = [...new Set(written)].filter((word) => codeNamePattern.test(word));
  return names.slice(0, maxCodeNames).map(plainWords);
}

/** Words of a question that asks for something by its name, at most. */
const maxAsked = 8;
const askingPattern = /^(?:what|who|whose|where|which|how|when|explain|define|describe|find|show)\b/i;
/** What such a question says of that, and nobody looks for. */
const askingWords: ReadonlySet<string> = new Set(
  'mean means meaning defined definition explain define describe find show stand stands work works located happen happens say says used use done called'.split(
    ' ',
  ),
);

/** Fewer words, or more, are no text that somebody copied. */
const literalWords = { min: 3, max: 40 };

/** Without the name of the error and the quotation marks that stand around it. */
function literalOf(text: string): string {
  const bare = text.replace(/^\w*(?:Error|Exception|Warning):\s+/, '').replace(/^(["'`])(.+)\1$/s, '$2');
  const count = bare.split(/\s+/).length;
  return count >= literalWords.min && count <= literalWords.max ? onOneLine(bare) : '';
}

/** Whether a text has the literal query, in any case and however its lines are broken. */
export function holdsLiteral(text: string, literal: string): boolean {
  return text.toLowerCase().includes(longestWordOf(literal)) && onOneLine(text).includes(literal);
}

/** A text without it has no use for being brought onto one line. */
function longestWordOf(literal: string): string {
  return literal.split(' ').reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

/** Each is looked for in the whole index. */
const maxQuotes = 8;

function kindOf(text: string, paths: readonly PathMention[]): QueryKind {
  const words = text.split(/\s+/);
  if (paths.length === 1 && words.length === 1) return 'path';
  if (errorPattern.test(text) || isStackTrace(text)) return 'error';
  if (words.length === 1) {
    if (spacelessPattern.test(text)) return 'plain';
    return /^\p{L}\p{Ll}*$/u.test(text) ? 'word' : 'symbol';
  }
  if (words.length === 2 && words.every(looksLikeIdentifier)) return 'symbol';
  if (words.some((word) => codeName.test(word))) return 'code';
  return words.some((word, index) => isProperName(word, words[index - 1])) ? 'named' : 'plain';
}

// Several words of a script without spaces: a sentence, not a name.
const spacelessPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]{7}/u;

// `bats_pipe`, `safeParse`, `IDbConnection`; neither `mRNA` nor `TP53`, which prose has too.
const codeName = /[\p{L}\p{N}]_[\p{L}\p{N}]|\p{Ll}\p{Lu}\p{Ll}/u;

/** A capital within a sentence: a proper name, which must be found by its letters. */
function isProperName(word: string, before: string | undefined): boolean {
  if (before === undefined || /[.?!:]$/.test(before)) return false;
  const [, rest] = /^["'(]?\p{Lu}\p{Ll}+([\p{L}\p{N}_]*)/u.exec(word) ?? [];
  return rest !== undefined && !/\p{Lu}/u.test(rest);
}

function quotedIn(text: string): string[] {
  const found = [...text.matchAll(/"([^"]{2,200})"|“([^”]{2,200})”|`([^`]{2,200})`/g)].map(
    ([, straight, curly, code]) => straight ?? curly ?? code ?? '',
  );
  const distinct = new Set(found.map((quote) => quote.trim()).filter((quote) => quote.length > 1));
  return [...distinct].slice(0, maxQuotes);
}
