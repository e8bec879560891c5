import type { StoreMatch } from '../contracts/store.ts';
import type { Chunk } from '../core/chunk.ts';
import type { StageTrace, TextPlace } from '../core/hit.ts';
import { plainText } from '../core/text/terms.ts';

/** A candidate on its way through the stages. */
export interface Candidate {
  readonly match: StoreMatch;
  readonly score: number;
  /** Cosine from vector search, where it found the chunk. */
  readonly cosine?: number;
  readonly trace: readonly StageTrace[];
  /** Other places with the same text. */
  readonly alsoAt?: readonly TextPlace[];
}

/** Names a candidate: the same text may stand in several documents. */
export function chunkKey({ match: { chunk } }: Pick<Candidate, 'match'>): string {
  return `${chunk.documentId} ${chunk.id}`;
}

const plainTexts = new WeakMap<Chunk, string>();

/** A chunk with its header as words are looked for in it; each station looks for some. */
export function plainTextOf(chunk: Chunk): string {
  const text = plainTexts.get(chunk) ?? plainText(`${chunk.header}\n${chunk.text}`);
  plainTexts.set(chunk, text);
  return text;
}

/** Best first; equal scores keep a stable, repeatable order by path and position. */
export function byScore(a: Candidate, b: Candidate): number {
  return (
    b.score - a.score ||
    compare(a.match.document.uri, b.match.document.uri) ||
    a.match.chunk.ordinal - b.match.chunk.ordinal
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
