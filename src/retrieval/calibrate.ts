import type { Candidate } from './fuse.ts';

/** A fitted curve from what the searchers saw to the likelihood that a passage is relevant. */
interface Calibration {
  readonly bias: number;
  /** Per unit of cosine between question and passage. */
  readonly cosine: number;
  /** Per unit of the ranking score, in which the best of both searchers counts 1. */
  readonly score: number;
}

/**
 * Curves by the start of the embedder's fingerprint: cosines of different models mean different things. Fitted by
 * `bench/calibration.ts` on half of the questions of four collections; on the other half, 39 % of the hits from 0.3
 * up were judged relevant and 56 % of those from 0.5 up, and of 120 off-topic questions 2 found anything at 0.3.
 */
const curves: readonly (readonly [prefix: string, curve: Calibration])[] = [
  ['local:all-MiniLM-L6-v2', { bias: -5.19, cosine: 3.92, score: 2.95 }],
];
const anyEmbedder: Calibration = { bias: -4.5, cosine: 3, score: 3 };

/**
 * The likelihood, 0 to 1, that a candidate answers the question; it rises with cosine and score. `floor` is the
 * cosine to assume for a passage that vector search did not bring up.
 */
export function calibrate(fingerprint: string): (candidate: Candidate, floor: number) => number {
  const curve = curves.find(([prefix]) => fingerprint.startsWith(prefix))?.[1] ?? anyEmbedder;
  return ({ cosine, score }, floor) => {
    const logit = curve.bias + curve.cosine * (cosine ?? floor) + curve.score * score;
    return 1 / (1 + Math.exp(-logit));
  };
}
