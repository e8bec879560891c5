import { queryTerms, terms } from '../core/terms.ts';
import type { Candidate } from './fuse.ts';

/** A fitted curve from what the searchers saw to the likelihood that a passage is relevant. */
export interface Calibration {
  readonly bias: number;
  /** Per unit of cosine. */
  readonly cosine: number;
  /** Per unit of the share of the question's terms that the passage has. */
  readonly coverage: number;
}

/** Curves by the start of the embedder's fingerprint; cosines of different models mean different things. */
const curves: readonly (readonly [prefix: string, curve: Calibration])[] = [
  ['local:all-MiniLM-L6-v2', { bias: -6.2, cosine: 8.5, coverage: 3.2 }],
];
const anyEmbedder: Calibration = { bias: -4, cosine: 4, coverage: 4 };

/** The likelihood, 0 to 1, that a candidate answers the question. It rises with cosine and with coverage. */
export function calibrate(
  fingerprint: string,
): (question: string, candidate: Candidate, floor: number) => number {
  const curve = curves.find(([prefix]) => fingerprint.startsWith(prefix))?.[1] ?? anyEmbedder;
  return (question, candidate, floor) => {
    const cosine = candidate.cosine ?? floor;
    const logit = curve.bias + curve.cosine * cosine + curve.coverage * coverage(question, candidate);
    return 1 / (1 + Math.exp(-logit));
  };
}

/** Share of the question's terms that stand in the passage, its headings or its path. */
function coverage(question: string, { match }: Candidate): number {
  const asked = queryTerms(question);
  if (asked.length === 0) return 0;
  const { chunk, document } = match;
  const present = new Set(terms(`${document.uri} ${document.title} ${chunk.header} ${chunk.text}`));
  return asked.filter((term) => present.has(term)).length / asked.length;
}
