import type { ChunkDraft } from '../contracts/chunker.ts';
import type { ChunkEntry } from '../contracts/store.ts';
import { type Chunk, contextHeader, embeddedText, type Span } from '../core/chunk.ts';
import type { Document } from '../core/document.ts';
import { chunkIds, embeddingKey } from '../core/identity.ts';
import type { Place, PlaceMarks } from '../core/place.ts';
import type { WordBox } from '../core/word-box.ts';
import { writeWordBox } from '../core/word-box.ts';
import { lastAtOrBefore } from './last-at-or-before.ts';

/** What is known of a document's text besides the text. */
export interface TextOrigin {
  /** Where it comes from; absent where its lines are those of the file. */
  readonly places?: PlaceMarks | undefined;
  /** When the text between two offsets was written; undefined where that is the document's time. */
  readonly timeOf?: ((start: number, end: number) => number) | undefined;
  /** Words that stand in a picture, in the order of the text. */
  readonly words?: readonly WordBox[] | undefined;
}

/** Gives each draft its identity, place, time and text, so that `text.slice(start, end)` is the chunk. */
export function assembleChunks(
  document: Document,
  drafts: readonly ChunkDraft[],
  { places, timeOf, words = [] }: TextOrigin = {},
): ChunkEntry[] {
  const { text } = document;
  const starts = drafts.map(({ start }) => withIndentation(text, start));
  const texts = drafts.map(({ end }, ordinal) => text.slice(starts[ordinal], end));
  const ids = chunkIds(document.uri, texts);
  const placeOf = places && placeFinder(places);
  const linesOf = lineFinder(text);
  return drafts.map((draft, ordinal) => {
    const start = starts[ordinal] ?? draft.start;
    const last = Math.max(start, draft.end - 1);
    const { firstLine, lastLine } = linesOf(start, last);
    const chunk: Chunk = {
      id: ids[ordinal] ?? '',
      documentId: document.id,
      ordinal,
      span: { start, end: draft.end, firstLine, lastLine },
      place: draft.place ??
        placeOf?.(draft.start, last) ?? { kind: 'lines', first: firstLine, last: lastLine },
      ...(timeOf && { writtenAt: timeOf(draft.start, draft.end) }),
      text: texts[ordinal] ?? '',
      header: contextHeader(document.uri, draft.header),
      section: draft.section,
      ...(draft.symbol && { symbol: draft.symbol }),
      metadata: { ...draft.metadata, ...boxesOf(words, start, draft.end) },
    };
    return { chunk, embeddingKey: embeddingKey(embeddedText(chunk)) };
  });
}

/** More white space before a line is no indentation. */
const maxIndentation = 500;

/** The offset of the indentation before a chunk that begins a line: without it the first line would stand out. */
function withIndentation(text: string, start: number): number {
  let at = start;
  while (at > 0 && start - at < maxIndentation && (text[at - 1] === ' ' || text[at - 1] === '\t')) at -= 1;
  return at === 0 || text[at - 1] === '\n' ? at : start;
}

/** Where the words of a chunk stand in their pictures, each with its offset in the chunk. */
function boxesOf(words: readonly WordBox[], start: number, end: number): { boxes?: readonly string[] } {
  const own = words.filter((word) => word.start >= start && word.end <= end);
  if (own.length === 0) return {};
  return {
    boxes: own.map((word) => writeWordBox({ ...word, start: word.start - start, end: word.end - start })),
  };
}

/** A function from the first and the last offset of a stretch of text to its lines. */
export function lineFinder(
  text: string,
): (start: number, last: number) => Pick<Span, 'firstLine' | 'lastLine'> {
  const starts = lineStartsOf(text);
  const lineAt = (offset: number) => lastAtOrBefore(starts, offset) + 1;
  return (start, last) => ({ firstLine: lineAt(start), lastLine: lineAt(last) });
}

/** A function from the first and the last offset of a stretch of text to its place. */
export function placeFinder({ kind, marks }: PlaceMarks): (start: number, last: number) => Place {
  const starts = marks.map((mark) => mark.start);
  const at = (offset: number) => marks[Math.max(0, lastAtOrBefore(starts, offset))]?.at;
  // The points of one kind of marks are those of the same kind of place.
  return (start, last) => ({ kind, first: at(start), last: at(last) }) as Place;
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
