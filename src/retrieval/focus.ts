import type { Chunk } from '../core/chunk.ts';
import type { Hit } from '../core/hit.ts';
import { linesOf } from '../core/text/citation.ts';
import { identifierParts, terms } from '../core/text/terms.ts';
import type { AnalysedQuery } from './query/analyse-query.ts';
import { meet } from './rules/word-match.ts';

/** A chunk of no more lines is read at a glance. */
const shortLines = 12;
/** Lines that belong together. */
const span = 10;
/** Lines that are looked at. */
const maxLines = 2000;
/** What a word counts that the header has too: everything in the chunk is about it. */
const inHeader = 0.3;
/** What each further line with a word counts, beside the first one with it. */
const again = 0.1;
/** What each line more takes. */
const perLine = 0.15;
/** Lines of a body that are shown with the line that opens it. */
const maxBody = 6;

/** The hits with the lines of each long chunk, and of its further ones, that say most of what is asked. */
export function withFocus(hits: readonly Hit[], query: AnalysedQuery, literal?: string): Hit[] {
  return hits.map((hit) => {
    const focus = focusOf(hit.chunk, query, literal);
    return {
      ...hit,
      ...(focus && { focus }),
      ...(hit.more && { more: withFocus(hit.more, query, literal) }),
    };
  });
}

/**
 * The lines of a long chunk, as those of the file, that say most of what is asked: the few neighbouring lines with the most words of the query, a
 * word counting more the fewer lines have it, or those with the literal text. Nothing for short chunks, where no line has a word, and where the file has no lines.
 */
export function focusOf(
  { text, place, header }: Pick<Chunk, 'text' | 'place' | 'header'>,
  query: AnalysedQuery,
  literal?: string,
): Hit['focus'] {
  const [start, end] = linesOf(place) ?? [0, 0];
  if (end - start < shortLines) return undefined;
  const lines = text.split('\n', maxLines);
  const found = literal === undefined ? bestLines(lines, header, query) : linesWith(text, literal);
  if (!found) return undefined;
  const [first, last] = found;
  return [Math.min(end, start + first), Math.min(end, start + last)];
}

type Lines = readonly [first: number, last: number];

function linesWith(text: string, literal: string): Lines | undefined {
  const at = text.indexOf(literal);
  if (at < 0 || literal === '') return undefined;
  const first = countLines(text.slice(0, at));
  return [first, first + countLines(literal)];
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

function bestLines(lines: readonly string[], header: string, query: AnalysedQuery): Lines | undefined {
  const wanted = wantedWords(query);
  const rows = wordsByLine(lines, wanted);
  const [ofHeader = new Set()] = wordsByLine([header], wanted);
  const weights = wanted.map((_, word) => {
    const having = rows.filter((row) => row.has(word)).length;
    const rarity = having === 0 ? 0 : Math.log((lines.length + 0.1) / having);
    return ofHeader.has(word) ? inHeader * rarity : rarity;
  });
  let best: readonly [...Lines, worth: number] | undefined;
  for (let first = 0; first < lines.length; first += 1) {
    if (!rows[first]?.size) continue;
    const seen = new Set<number>();
    let worth = 0;
    for (let last = first; last < Math.min(lines.length, first + span); last += 1) {
      for (const word of rows[last] ?? []) {
        worth += (weights[word] ?? 0) * (seen.has(word) ? again : 1);
        seen.add(word);
      }
      const net = worth - perLine * (last - first);
      if (rows[last]?.size && net > (best?.[2] ?? 0)) best = [first, last, net];
    }
  }
  return best && withBody(lines, [best[0], best[1]]);
}

/** Words of the query with the parts of its names, each once. */
function wantedWords({ words }: AnalysedQuery): string[] {
  return [...new Set(words.flatMap((word) => [word, ...identifierParts(word)]))].filter(
    (word) => word.length > 2,
  );
}

/** Which of the words each line has, up to their endings and inside of names. */
function wordsByLine(lines: readonly string[], words: readonly string[]): Set<number>[] {
  const known = new Map<string, number[]>();
  const meaning = (term: string): number[] => {
    const own = known.get(term) ?? words.flatMap((word, index) => (meet(word, term) ? [index] : []));
    known.set(term, own);
    return own;
  };
  return lines.map((line) => new Set(terms(line).flatMap(meaning)));
}

/** A line that opens a body, or a comment, says little without what follows it. */
function withBody(lines: readonly string[], [first, last]: Lines): Lines {
  const depth = indentOf(lines[last] ?? '');
  const isComment = commentPattern.test(lines[last] ?? '');
  let end = last;
  for (let next = last + 1; next < lines.length && next <= last + maxBody; next += 1) {
    const line = lines[next] ?? '';
    const isBlank = line.trim() === '';
    if (isBlank || (indentOf(line) <= depth && !(isComment && next === end + 1))) break;
    end = next;
  }
  return [first, end];
}

const commentPattern = /^\s*(?:\/\/|\/\*|\*|#|--|;;)/;

function indentOf(line: string): number {
  return /^\s*/.exec(line)?.[0].length ?? 0;
}
