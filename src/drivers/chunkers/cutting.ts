import type { ChunkLimits } from '../../contracts/chunker.ts';

/** A stretch of text with its measured size. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
}

/** Measures a stretch without the white space around it; undefined when nothing else is there. */
export function pieceOf(text: string, start: number, end: number, limits: ChunkLimits): Piece | undefined {
  let from = start;
  let to = end;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return from === to ? undefined : { start: from, end: to, tokens: limits.countTokens(text.slice(from, to)) };
}

/** Paragraphs: runs of lines with no blank line between them. */
function paragraphsOf(text: string, start: number, end: number, limits: ChunkLimits): Piece[] {
  return piecesBetween(text, start, end, /\n[^\S\n]*\n\s*/g, limits);
}

/** Sentences, by the rules of Unicode; they hold for any language. */
function sentencesOf(text: string, start: number, end: number, limits: ChunkLimits): Piece[] {
  const pieces: Piece[] = [];
  for (const { index, segment } of sentences().segment(text.slice(start, end))) {
    const piece = pieceOf(text, start + index, start + index + segment.length, limits);
    if (piece) pieces.push(piece);
  }
  return pieces;
}

/** Lines that are not blank. */
export function linesOf(text: string, start: number, end: number, limits: ChunkLimits): Piece[] {
  return piecesBetween(text, start, end, /\n/g, limits);
}

/** Cuts what has no boundary of its own: between words, and a word that is still too long by its length. */
export function cutAnywhere(text: string, piece: Piece, limits: ChunkLimits): Piece[] {
  const words = piecesBetween(text, piece.start, piece.end, /\s+/g, limits).flatMap((word) =>
    word.tokens <= limits.maxTokens ? [word] : cutByLength(text, word, limits),
  );
  return pack(words, limits);
}

/**
 * Merges neighbours into pieces near the target size. Sizes are evened out: 210 tokens at a target of 200 become
 * two pieces of 105, never 200 and a stub. A piece larger than the maximum stays as it is.
 */
export function pack(pieces: readonly Piece[], limits: ChunkLimits): Piece[] {
  const total = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
  const aim = total <= limits.maxTokens ? total : total / Math.ceil(total / limits.targetTokens);
  const packed: Piece[] = [];
  for (const piece of pieces) {
    const last = packed.at(-1);
    const together = (last?.tokens ?? 0) + piece.tokens;
    const closer = together - aim <= aim - (last?.tokens ?? 0) || (last?.tokens ?? 0) < limits.minTokens;
    if (last && together <= limits.maxTokens && closer) {
      packed[packed.length - 1] = { start: last.start, end: piece.end, tokens: together };
    } else packed.push(piece);
  }
  return mergeLast(packed, limits);
}

/** Paragraphs of a stretch of text; those above the maximum are cut into sentences. */
export function prosePieces(text: string, start: number, end: number, limits: ChunkLimits): Piece[] {
  return paragraphsOf(text, start, end, limits).flatMap((paragraph) => {
    if (paragraph.tokens <= limits.maxTokens) return [paragraph];
    const sentences = sentencesOf(text, paragraph.start, paragraph.end, limits).flatMap((sentence) =>
      sentence.tokens <= limits.maxTokens ? [sentence] : cutAnywhere(text, sentence, limits),
    );
    return pack(sentences, limits);
  });
}

/** Starts each piece with the last sentences of the one before, up to the overlap. */
export function withOverlap(text: string, pieces: readonly Piece[], limits: ChunkLimits): Piece[] {
  if (limits.overlapTokens === 0) return [...pieces];
  return pieces.map((piece, index) => {
    const before = pieces[index - 1];
    if (!before) return piece;
    let { start, tokens } = piece;
    for (const sentence of sentencesOf(text, before.start, before.end, limits).reverse()) {
      const repeated = tokens - piece.tokens + sentence.tokens;
      if (repeated > limits.overlapTokens || tokens + sentence.tokens > limits.maxTokens) break;
      start = sentence.start;
      tokens += sentence.tokens;
    }
    return { start, end: piece.end, tokens };
  });
}

/**
 * Joins what is below the minimum with its neighbour: with the one before while both fit the target, else with the one after
 * while both fit the maximum, else with the one before while those do.
 */
export function mergeStubs<Part extends { readonly tokens: number }>(
  parts: readonly Part[],
  { minTokens, targetTokens, maxTokens }: ChunkLimits,
  join: (first: Part, second: Part) => Part,
): Part[] {
  const merged: Part[] = [];
  for (const [index, part] of parts.entries()) {
    const last = merged.at(-1);
    const isStub = part.tokens < minTokens;
    const afterStub = last !== undefined && last.tokens < minTokens;
    const next = parts[index + 1];
    const hasRoomAfter = next !== undefined && part.tokens + next.tokens <= maxTokens;
    const room = afterStub || (isStub && !hasRoomAfter) ? maxTokens : targetTokens;
    if (last && (isStub || afterStub) && last.tokens + part.tokens <= room)
      merged[merged.length - 1] = join(last, part);
    else merged.push(part);
  }
  return merged;
}

/** Joins a last piece below the minimum to the one before it, where the two fit together. */
function mergeLast(pieces: Piece[], limits: ChunkLimits): Piece[] {
  const last = pieces.at(-1);
  const before = pieces.at(-2);
  if (!last || !before || last.tokens >= limits.minTokens) return pieces;
  if (last.tokens + before.tokens > limits.maxTokens) return pieces;
  return [
    ...pieces.slice(0, -2),
    { start: before.start, end: last.end, tokens: before.tokens + last.tokens },
  ];
}

/** Made when it is first needed, which most files never do: the first one of a process lists all languages that there are. */
const sentences = (): Intl.Segmenter => {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  return segmenter;
};
let segmenter: Intl.Segmenter | undefined;

function isSpace(code: number): boolean {
  return code <= 32
    ? code === 32 || (code >= 9 && code <= 13)
    : code === 0xa0 || code === 0xfeff || code === 0x2028;
}

function piecesBetween(
  text: string,
  start: number,
  end: number,
  separator: RegExp,
  limits: ChunkLimits,
): Piece[] {
  const pieces: Piece[] = [];
  const add = (from: number, to: number): void => {
    const piece = pieceOf(text, from, to, limits);
    if (piece) pieces.push(piece);
  };
  let from = start;
  for (const match of text.slice(start, end).matchAll(separator)) {
    add(from, start + match.index);
    from = start + match.index + match[0].length;
  }
  add(from, end);
  return pieces;
}

/** Halves until it fits; a cut never falls inside a surrogate pair. */
function cutByLength(text: string, piece: Piece, limits: ChunkLimits): Piece[] {
  if (piece.tokens <= limits.maxTokens || piece.end - piece.start < 2) return [piece];
  let middle = (piece.start + piece.end) >> 1;
  const code = text.charCodeAt(middle);
  if (code >= 0xdc00 && code <= 0xdfff) middle += 1;
  return [
    [piece.start, middle],
    [middle, piece.end],
  ].flatMap(([start = 0, end = 0]) => {
    if (end <= start) return [];
    const half = { start, end, tokens: limits.countTokens(text.slice(start, end)) };
    return half.tokens < piece.tokens ? cutByLength(text, half, limits) : [half];
  });
}
