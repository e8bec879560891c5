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

/** As much of a chunk's definition as is known: the chunk and those beside it that are of the same definition or its members. */
export function knownStretch(seed: Chunk, chunks: ReadonlyMap<number, Chunk>): [Chunk, ...Chunk[]] {
  const isOfIt = (chunk: Chunk | undefined): chunk is Chunk =>
    chunk !== undefined && (isSameSymbol(chunk, seed) || isMember(chunk, seed));
  let first = seed;
  for (let chunk = chunks.get(seed.ordinal - 1); isOfIt(chunk); chunk = chunks.get(first.ordinal - 1))
    first = chunk;
  const found: [Chunk, ...Chunk[]] = [first];
  for (let chunk = chunks.get(first.ordinal + 1); isOfIt(chunk); chunk = chunks.get(chunk.ordinal + 1))
    found.push(chunk);
  return found;
}
