import type { Chunk } from '../../core/chunk.ts';

/** Which part of a definition a chunk is. */
export interface SymbolPart {
  /** Counted from 1. */
  readonly number: number;
  readonly total: number;
}

/** The part that a chunk is of a definition that was cut; undefined for anything whole. */
export function partOf({ symbol, metadata }: Chunk): SymbolPart | undefined {
  const found = symbol && /^(\d{1,6})\/(\d{1,6})$/.exec(String(metadata.part ?? ''));
  if (!found) return undefined;
  const [number, total] = [Number(found[1]), Number(found[2])];
  return number >= 1 && number <= total && total > 1 ? { number, total } : undefined;
}

/**
 * All chunks from the first part of a chunk's definition to the last, members in between included; undefined where
 * the chunk is whole, or where a part is not among the known chunks.
 */
export function symbolStretch(seed: Chunk, chunks: ReadonlyMap<number, Chunk>): Chunk[] | undefined {
  const part = partOf(seed);
  if (!part) return undefined;
  const before = walk(seed, part, chunks, -1);
  const after = walk(seed, part, chunks, 1);
  return before && after ? [...before.reverse(), seed, ...after] : undefined;
}

/** The chunks from next to the seed to the first (-1) or last (1) part. */
function walk(
  seed: Chunk,
  { number, total }: SymbolPart,
  chunks: ReadonlyMap<number, Chunk>,
  step: -1 | 1,
): Chunk[] | undefined {
  const found: Chunk[] = [];
  let reached = number;
  for (let ordinal = seed.ordinal + step; reached !== (step < 0 ? 1 : total); ordinal += step) {
    const chunk = chunks.get(ordinal);
    if (!chunk) return undefined;
    const part = partOf(chunk);
    if (isSameSymbol(chunk, seed) && part?.total === total && part.number === reached + step) reached += step;
    else if (!isMember(chunk, seed)) return undefined;
    found.push(chunk);
  }
  return found;
}

function isSameSymbol({ symbol: one }: Chunk, { symbol: other }: Chunk): boolean {
  return one !== undefined && other !== undefined && pathOf(one) === pathOf(other) && one.kind === other.kind;
}

function isMember({ symbol: inner }: Chunk, { symbol: outer }: Chunk): boolean {
  return inner !== undefined && outer !== undefined && pathOf(inner).startsWith(`${pathOf(outer)}\0`);
}

function pathOf({ scope, name }: NonNullable<Chunk['symbol']>): string {
  return [...scope, name].join('\0');
}
