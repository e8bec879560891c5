import type { ChunkRange } from '../../contracts/store.ts';
import type { Chunk } from '../../core/chunk.ts';
import { contextHeader } from '../../core/chunk.ts';
import type { DocumentRecord } from '../../core/document.ts';
import type { Hit } from '../../core/hit.ts';
import { countLineEnds } from './fragment.ts';
import { partOf } from './symbol-stretch.ts';

/** White space between two adjacent chunks; it is not stored. */
export interface Blank {
  readonly start: number;
  readonly end: number;
  readonly lineEnds: number;
}

/** What is known of a document: its hits and the chunks around them. */
export interface DocumentView {
  readonly document: DocumentRecord;
  /** By ordinal. */
  readonly chunks: ReadonlyMap<number, Chunk>;
  /** By the offset where they begin. */
  readonly blanks: ReadonlyMap<number, Blank>;
  readonly hasWindowsLineEnds: boolean;
}

/** Chunks to read on each side for the other parts of a definition; more would not fit any budget. */
const symbolReach = 12;

/** A longer stretch of white space is shown as a gap. */
const maxBlankLength = 400;

/** What to read around a hit. */
export function rangeAround({ chunk }: Pick<Hit, 'chunk'>, neighbours: number): ChunkRange {
  const { before, after } = reachOf(chunk, neighbours);
  const { documentId, ordinal } = chunk;
  return { documentId, first: ordinal - before, last: ordinal + after };
}

/** The surroundings of hits of one document; a hit whose document has changed meanwhile has none. */
export function viewDocument(
  hits: readonly [Hit, ...Hit[]],
  windowOf: (hit: Hit) => readonly Chunk[],
): DocumentView {
  const chunks = new Map<number, Chunk>();
  for (const { chunk } of hits) if (!chunks.has(chunk.ordinal)) chunks.set(chunk.ordinal, chunk);
  for (const hit of hits) {
    const { chunk } = hit;
    const window = windowOf(hit);
    const isCurrent = window.some((found) => found.ordinal === chunk.ordinal && isSame(found, chunk));
    const agrees = window.every((found) => isSame(found, chunks.get(found.ordinal) ?? found));
    if (isCurrent && agrees) for (const found of window) chunks.set(found.ordinal, found);
  }
  return { document: hits[0].document, chunks, ...spacingOf(chunks) };
}

/** What lies between chunks, and how the document ends its lines. */
export function spacingOf(
  chunks: ReadonlyMap<number, Chunk>,
): Pick<DocumentView, 'blanks' | 'hasWindowsLineEnds'> {
  const blanks = blanksBetween(chunks);
  return { blanks, hasWindowsLineEnds: hasWindowsLineEnds(chunks, blanks) };
}

/** Signatures of the definitions that a chunk of code stands in; empty elsewhere. */
export function contextOf({ document }: DocumentView, { header, symbol }: Chunk): string {
  const place = `${contextHeader(document.uri, '')} > `;
  return symbol && header.startsWith(place) ? header.slice(place.length) : '';
}

function reachOf(chunk: Chunk, neighbours: number): { before: number; after: number } {
  const part = partOf(chunk);
  if (!part) return { before: neighbours, after: neighbours };
  return {
    before: part.number === 1 ? neighbours : Math.max(neighbours, symbolReach),
    after: part.number === part.total ? neighbours : Math.max(neighbours, symbolReach),
  };
}

function isSame(one: Chunk, other: Chunk): boolean {
  return one.id === other.id && one.span.start === other.span.start;
}

function blanksBetween(chunks: ReadonlyMap<number, Chunk>): Map<number, Blank> {
  const blanks = new Map<number, Blank>();
  for (const { ordinal, span, text } of chunks.values()) {
    const next = chunks.get(ordinal + 1)?.span;
    const start = span.start + text.length;
    if (!next || next.start <= start || next.start - start > maxBlankLength) continue;
    const lineEnds = Math.max(0, next.firstLine - span.firstLine - countLineEnds(text));
    blanks.set(start, { start, end: next.start, lineEnds });
  }
  return blanks;
}

/** Inferred from the lines within chunks; if no chunk has two lines, from the space between chunks. */
function hasWindowsLineEnds(chunks: ReadonlyMap<number, Chunk>, blanks: ReadonlyMap<number, Blank>): boolean {
  const texts = [...chunks.values()].map(({ text }) => text);
  if (texts.some((text) => text.includes('\n'))) return texts.some((text) => text.includes('\r\n'));
  const breaks = [...blanks.values()].filter(({ lineEnds }) => lineEnds > 0);
  return breaks.every(({ start, end, lineEnds }) => end - start === 2 * lineEnds);
}

/** Whether two chunks are of one message; what is no archive of messages is one. */
export function areOfOneMessage(one: Chunk | undefined, other: Chunk | undefined): boolean {
  return one?.metadata.message === other?.metadata.message;
}
