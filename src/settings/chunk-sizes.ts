/**
 * Sizes of chunks in tokens of the embedder, by the name used in `chunking.sizes`. They are no settings of their own, since
 * measurement has settled them (docs/decisions/0008-chunking.md; `bench/chunking-quality.ts` repeats it). The names are those
 * that the recipes of existing indexes have, so that nothing is cut again.
 */
const measured = {
  small: sizes(40, 128, 180, 512),
  code: sizes(40, 128, 180, 1024),
  /** As the designs had it: for models that read more at once, at a lower precision. */
  large: sizes(50, 400, 800, 1024),
};

/** Sizes of chunks, in tokens. */
export type ChunkSizes = ReturnType<typeof sizes>;

/** What `chunking.sizes` can say; with `characters` texts are cut after a number of characters and not where their parts end. */
export const sizesNames = [...(Object.keys(measured) as (keyof typeof measured)[]), 'characters'] as const;

/** The sizes of this name; some files are cut where their parts end whatever the others are. */
export function chunkSizes(name: (typeof sizesNames)[number]): ChunkSizes {
  return measured[name === 'characters' ? 'small' : name];
}

function sizes(min_tokens: number, target_tokens: number, max_tokens: number, code_max_tokens: number) {
  return {
    /** Smaller pieces are merged with a neighbour. */
    min_tokens,
    target_tokens,
    /** No piece is larger, but for fences and tables kept whole and what a heading or signature introduces. */
    max_tokens,
    /** A definition up to this size stays whole. */
    code_max_tokens,
    /** A message up to this size stays whole. */
    email_max_tokens: 800,
    /** Overlap finds no more than further hits do, and costs 73 % more text. */
    overlap_tokens: 0,
  };
}
