import type { CosineScale, SignalName } from './signals.ts';

/** A fitted curve from signals to the likelihood of relevance; no weight is below 0, so that it never falls. */
export interface Curve {
  /** Absent where the cosines of a query are compared only with each other. */
  readonly scale?: CosineScale;
  readonly bias: number;
  readonly weights: Readonly<Record<SignalName, number>>;
  /** The share that was judged relevant at each value of the sum of signals; linear between, from 0 to 1. */
  readonly correction: readonly (readonly [said: number, judged: number])[];
}

// Fitted on questions: those of 41 packages, asked of one file, of five, of fifty, of the package and of all packages together, and
// those of six shared sets. Against them stand questions about other packages, about nothing that is there, and words that nobody knows. What was
// found is in docs/decisions/0016-relevance.md. Words and names alone are no questions: see `plain-evidence.ts`.

/** Weights for a model whose cosines have a scale; the scale makes what they say the same for each. */
const measured: Omit<Curve, 'scale'> = {
  bias: -4.32,
  weights: {
    topic: 0.31,
    agreement: 1.95,
    coverage: 0.33,
    words: 1.94,
    lead: 0.87,
    named: 0.57,
    alone: 5.97,
  },
  correction: [
    [0.28, 0.28],
    [0.49, 0.49],
    [0.69, 0.63],
    [0.92, 0.89],
  ],
};

/** Curves by the beginning of the embedder's fingerprint: cosines of different models mean different things. */
export const curves: readonly (Curve & { readonly prefix: string })[] = [
  { prefix: 'local:quarry-minilm-l4', scale: { offTopic: 0.2, relevant: 0.586 }, ...measured },
  { prefix: 'local:all-MiniLM-L6-v2', scale: { offTopic: 0.203, relevant: 0.587 }, ...measured },
  { prefix: 'local:bge-small-en-v1.5', scale: { offTopic: 0.552, relevant: 0.755 }, ...measured },
  { prefix: 'local:gte-small', scale: { offTopic: 0.788, relevant: 0.893 }, ...measured },
  {
    prefix: 'static:token-table',
    scale: { offTopic: 0.262, relevant: 0.561 },
    ...measured,
    // Its vectors say less: what they agree on is right less often.
    correction: [
      [0.3, 0.27],
      [0.5, 0.42],
      [0.7, 0.57],
      [0.9, 0.8],
    ],
  },
];

/** For answers from text search alone. */
export const textAlone: Curve = {
  bias: -5.54,
  weights: { topic: 0, agreement: 1.72, coverage: 1.54, words: 3, lead: 1.29, named: 0.86, alone: 0 },
  correction: [],
};

/** For embedders that have no scale: cosines are compared only with each other. */
export const anyEmbedder: Curve = {
  bias: -5.02,
  weights: { topic: 5.26, agreement: 1.46, coverage: 0.8, words: 2.22, lead: 0.96, named: 0.71, alone: 1.03 },
  correction: [
    [0.29, 0.29],
    [0.49, 0.46],
    [0.7, 0.62],
    [0.91, 0.86],
  ],
};
