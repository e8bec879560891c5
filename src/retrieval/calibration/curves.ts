import type { CosineScale, SignalName } from './signals.ts';

/** A fitted curve from signals to the likelihood of relevance; no weight is below 0, so that it never falls. */
export interface Curve {
  /** Absent where the cosines of a question are measured by each other. */
  readonly scale?: CosineScale;
  readonly bias: number;
  readonly weights: Readonly<Record<SignalName, number>>;
}

/** Curves by the beginning of the embedder's fingerprint: cosines of different models mean different things. */
export const curves: readonly (Curve & { readonly prefix: string })[] = [];
const flat = {
  topic: 4,
  agreement: 0,
  closeness: 1.4,
  coverage: 0,
  words: 1,
  lead: 1.2,
  named: 1,
  siblings: 1.3,
  alone: 1.5,
};
/** For answers from text search alone. */
export const textAlone: Curve = { bias: -5, weights: flat };
/** For embedders that have no curve of their own. */
export const anyEmbedder: Curve = { bias: -5, weights: flat };
