import { origins } from '../../core/document.ts';
import { aliasesOf } from '../../core/documents/own-fields.ts';
import { holdsLine } from '../../core/text/citation.ts';
import { identifierParts, plainText } from '../../core/text/terms.ts';
import { type Candidate, plainTextOf } from '../candidate.ts';
import { declaresOneOf, definedBy, definesOneOf } from '../definitions.ts';
import { type AnalysedQuery, holdsLiteral, mayBeName, plainName } from '../query/analyse-query.ts';
import { isMentioned } from '../query/path-mention.ts';
import { coveredShare, meet } from './word-match.ts';

/** A reason to lift a candidate. */
export interface RankRule {
  readonly name: string;
  /** What a full match adds to the fused score, which lies between 0 and 1. */
  readonly weight: number;
  /** How well the rule matches, 0 to 1. */
  strength(query: AnalysedQuery, candidate: Candidate, now: number): number;
}

/** The rule for the declaration of a name that the query has. */
export const declares = 'defines what is asked for';

// Weights were tried one at a time on repositories, functions, documentation, conversations and prose, each paired
// query by query: those here gain on one kind and lose on none. Between half and twice a weight nothing changes
// by more than chance, unless a comment says otherwise.
export const rankRules: readonly RankRule[] = [
  {
    // A query for a name wants its definition before its uses, whatever the scores.
    name: declares,
    weight: 0.5,
    strength: ({ names }, { match }) => (declaresOneOf(names, match.chunk) ? 1 : 0),
  },
  {
    // Types and headers repeat the names of what is written elsewhere. From 0.4 to 0.6 the gain is the same.
    name: 'only declares',
    weight: -0.4,
    strength: ({ words }, { match }) =>
      declarationPattern.test(match.document.uri) && !words.some((word) => declarationWords.has(word))
        ? 1
        : 0,
  },
  {
    // A line of placeholders in `replace-document.ts` says nothing about how documents are replaced. From 0.2 to 0.8
    // nothing changes by more than chance; below 0.6 such a line may still stand first by the share of its file.
    name: 'is found by its path or heading alone',
    weight: -0.6,
    strength: ({ words, kind }, { match, trace }) =>
      isFoundByWords(trace) &&
      words.length > 0 &&
      !mayBeName(kind) &&
      !holdsOneOf(words, plainText(match.chunk.text))
        ? 1
        : 0,
  },
  {
    // The nearest meaning of a name is a guess: it stands behind every chunk that has a part of the name.
    name: 'lacks the name that is asked for',
    weight: -0.6,
    strength: ({ words, kind }, { match: { chunk } }) =>
      mayBeName(kind) && words.length > 0 && !holdsOneOf(words, plainTextOf(chunk)) ? 1 : 0,
  },
  {
    // The later parts of a definition that was cut: useful, but not where a reader starts.
    name: 'belongs to what is asked for',
    weight: 0.2,
    strength: ({ names }, { match }) =>
      definesOneOf(names, match.chunk) && !declaresOneOf(names, match.chunk) ? 1 : 0,
  },
  {
    name: 'its file has the name',
    weight: 0.5,
    strength: ({ names, text }, { match: { document } }) =>
      names.has(plainName(fileStem(document.uri))) ||
      aliasesOf(document.metadata)
        .map(plainName)
        .some((alias) => alias !== '' && (names.has(alias) || alias === plainName(text)))
        ? 1
        : 0,
  },
  {
    name: 'is the file that is named',
    weight: 0.6,
    strength: ({ paths }, { match }) =>
      paths.some((mention) => isMentioned(match.document.uri, mention)) ? 1 : 0,
  },
  {
    name: 'holds the line that is named',
    weight: 0.3,
    strength: ({ paths }, { match: { document, chunk } }) =>
      paths.some(
        (mention) =>
          mention.line !== undefined &&
          isMentioned(document.uri, mention) &&
          holdsLine(chunk.place, mention.line),
      )
        ? 1
        : 0,
  },
  {
    name: 'has the quoted words as they stand',
    weight: 0.4,
    strength: ({ quoted }, { match }) =>
      quoted.length === 0
        ? 0
        : quoted.filter((quote) => match.chunk.text.includes(quote)).length / quoted.length,
  },
  {
    // An error that was copied without quotation marks.
    name: 'has the query as it stands',
    weight: 1,
    strength: ({ literal }, { match }) => (literal !== '' && holdsLiteral(match.chunk.text, literal) ? 1 : 0),
  },
  {
    // Two or three words without a sentence around them are all meant, and so is what somebody asks for by name.
    name: 'has all the words',
    weight: 0.3,
    strength: ({ keywords }, { match: { chunk } }) =>
      keywords.length > 0 && holdsEach(keywords, plainTextOf(chunk)) ? 1 : 0,
  },
  {
    // From 0.4 on, files with fitting names push better chunks away.
    name: 'file name matches the query',
    weight: 0.3,
    strength: ({ words, kind }, { match }) =>
      isCode(match.document.type) && !mayBeName(kind) ? coveredShare(words, fileStem(match.document.uri)) : 0,
  },
  {
    name: 'folder name matches the query',
    weight: 0.1,
    strength: ({ words, kind }, { match }) =>
      isCode(match.document.type) && !mayBeName(kind) ? folderShare(words, match.document.uri) : 0,
  },
  {
    // From 0.3 on, functions that merely share words with a query rise too far.
    name: 'name matches the query',
    weight: 0.2,
    strength: ({ words, kind, names }, { match: { chunk } }) =>
      mayBeName(kind) || definesOneOf(names, chunk)
        ? 0
        : Math.max(0, ...definedBy(chunk).map((name) => namedShare(words, name))),
  },
  {
    name: 'exported',
    weight: 0.03,
    strength: (_, { match }) => (match.chunk.symbol?.exported ? 1 : 0),
  },
  {
    // Of two similar notes or e-mails the newer is the better answer; the bonus halves every half year.
    name: 'is recent',
    weight: 0.1,
    strength: (_, { match: { chunk, document } }, now) =>
      isDated(document.type)
        ? 0.5 ** (Math.max(0, now - (chunk.writtenAt ?? document.modifiedAt)) / halfLife)
        : 0,
  },
  {
    // Decides only between equal scores.
    name: 'comes from a trusted origin',
    weight: 0.01,
    strength: (_, { match }) => 1 - origins.indexOf(match.document.origin) / (origins.length - 1),
  },
];

const declarationPattern =
  /(?:^|\/)types?(?:\/[^/]+)?\.[cm]?tsx?$|\.d\.[cm]?ts$|\.h(?:pp|h|xx)?$|\.mli$|\.pyi$/;
/** A query with one of these asks for what is declared. */
export const declarationWords: ReadonlySet<string> = new Set(
  'type types interface interfaces definition definitions declaration signature header struct'.split(' '),
);

const halfLife = 182 * 24 * 3600 * 1000;

function isCode(type: string): boolean {
  return type === 'code';
}

function isDated(type: string): boolean {
  return type === 'note' || type === 'email' || type === 'conversation';
}

function isFoundByWords(trace: Candidate['trace']): boolean {
  return trace.some(({ stage }) => stage === 'text');
}

/** Whether a plain text has one of the words, up to their endings. */
function holdsOneOf(words: readonly string[], plain: string): boolean {
  return words.some((word) => plain.includes(beginningOf(word)));
}

function holdsEach(words: readonly string[], plain: string): boolean {
  return words.every((word) => plain.includes(beginningOf(word)));
}

function beginningOf(word: string): string {
  return word.slice(0, Math.max(4, word.length - 2));
}

/** A name of one word counts half: `parse` is weaker evidence than `parseHeaders`. */
function namedShare(words: readonly string[], name: string): number {
  const parts = new Set(identifierParts(name).filter((part) => part.length > 2)).size;
  const covered = coveredShare(words, name);
  return covered * parts >= Math.min(2, parts) ? covered * Math.min(1, parts / 2) : 0;
}

function folderShare(words: readonly string[], uri: string): number {
  const folders = uri.split('/').slice(0, -1);
  const parts = [...new Set(folders.flatMap(identifierParts))].filter((part) => part.length > 1);
  if (parts.length === 0) return 0;
  return parts.filter((part) => words.some((word) => meet(word, part))).length / parts.length;
}

function fileStem(uri: string): string {
  const names = uri.split('/');
  const stem = (names.at(-1) ?? '').replace(/\.[^.]*$/, '');
  // Such a file is its folder to everyone who imports it.
  return /^(?:index|mod|__init__|init)$/.test(stem) ? (names.at(-2) ?? '') : stem;
}
