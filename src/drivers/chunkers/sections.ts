import type { ChunkDraft, ChunkLimits } from '../../contracts/chunker.ts';
import type { Metadata } from '../../core/document.ts';
import type { Place } from '../../core/place.ts';
import { mergeStubs, pack, prosePieces } from './cutting.ts';
import { cutLines, type TextRange } from './lines.ts';
import { type TokenMeter, trimmedEnd, trimmedStart } from './token-meter.ts';

/** A part of a document that its format sets apart: a page, a message, a day of a log, a key. */
export interface TextSection extends TextRange {
  /** Heading path or key path; becomes the `section` of its chunks. */
  readonly name: string;
  readonly header: string;
  readonly metadata?: Metadata;
  readonly place?: Place;
}

/** Finds ranges within a section that is too large; together they hold everything but white space. */
export type SectionCut = (section: TextRange) => readonly TextRange[];

/** Cuts between lines. */
export function lineCut(text: string, limits: ChunkLimits, meter: TokenMeter): SectionCut {
  return (section) => cutLines(text, limits, meter, section);
}

/** Cuts between paragraphs, long ones between sentences. */
export function proseCut(text: string, limits: ChunkLimits): SectionCut {
  return ({ start, end }) => pack(prosePieces(text, start, end, limits), limits);
}

/**
 * Joins a section below the minimum with its neighbour: with the one before while both fit the target, else with the one
 * after while both fit the maximum, else with the one before while those do. `join` names the two.
 */
export function mergeSmall<Section extends TextRange>(
  sections: readonly Section[],
  limits: ChunkLimits,
  meter: TokenMeter,
  join: (first: Section, second: Section) => Section,
): Section[] {
  const sized = sections.map((section) => ({ section, tokens: meter.tokens(section.start, section.end) }));
  const merged = mergeStubs(sized, limits, (first, second) => ({
    section: join(first.section, second.section),
    tokens: first.tokens + second.tokens,
  }));
  return merged.map(({ section }) => section);
}

/** One chunk for each section that fits the maximum; a larger one is cut. White space at the edges is left out. */
export function sectionDrafts(
  text: string,
  sections: readonly TextSection[],
  limits: ChunkLimits,
  meter: TokenMeter,
  cut: SectionCut,
): ChunkDraft[] {
  return sections.flatMap((section) => {
    const { name, header, metadata, place } = section;
    const fits = meter.tokens(section.start, section.end) <= limits.maxTokens;
    return (fits ? [section] : cut(section)).flatMap((part) => {
      const start = trimmedStart(text, part.start, part.end);
      const end = trimmedEnd(text, start, part.end);
      if (start >= end) return [];
      return [{ start, end, header, section: name, ...(metadata && { metadata }), ...(place && { place }) }];
    });
  });
}

/** The ranges of the lines of a text, line ends included. */
export function* lineRanges(text: string, range: TextRange): Generator<TextRange> {
  let start = range.start;
  while (start < range.end) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 || newline >= range.end ? range.end : newline + 1;
    yield { start, end };
    start = end;
  }
}
