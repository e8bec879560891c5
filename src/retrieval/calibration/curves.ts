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

// Made by `bench/calibration.ts`, on half of the queries of scifact-train, cosqa-dev, ray-docs-v2new, locomo-dev and
// code-npm, and of cisi and time except for bge-small and gte-small; with off-topic queries, which are those of the
// other collections. The comment of each curve has its result on the held-out halves: the share of relevant hits
// from 0.7 up, their part of all relevant ones in the top 10, and the off-topic queries that find anything at 0.3.

/** Curves by the beginning of the embedder's fingerprint: cosines of different models mean different things. */
export const curves: readonly (Curve & { readonly prefix: string })[] = [
  // 80 % of 308 hits; 22 %; 3.8 %.
  {
    prefix: 'local:quarry-minilm-l4',
    scale: { offTopic: 0.2, relevant: 0.586 },
    bias: -6.38,
    weights: {
      topic: 5.21,
      agreement: 0.86,
      closeness: 0.88,
      coverage: 0,
      words: 2.1,
      lead: 1.05,
      named: 1.07,
      siblings: 1.46,
      alone: 1.34,
    },
    correction: [
      [0.29, 0.29],
      [0.48, 0.45],
      [0.68, 0.66],
      [0.89, 0.83],
    ],
  },
  // 82 % of 283 hits; 21 %; 3.2 %.
  {
    prefix: 'local:all-MiniLM-L6-v2',
    scale: { offTopic: 0.203, relevant: 0.587 },
    bias: -6.14,
    weights: {
      topic: 4.78,
      agreement: 1.22,
      closeness: 0.68,
      coverage: 0,
      words: 2.09,
      lead: 0.82,
      named: 1.08,
      siblings: 1.27,
      alone: 1.38,
    },
    correction: [
      [0.29, 0.29],
      [0.49, 0.46],
      [0.69, 0.63],
      [0.89, 0.86],
    ],
  },
  // 82 % of 273 hits; 26 %; 3.7 %.
  {
    prefix: 'local:bge-small-en-v1.5',
    scale: { offTopic: 0.552, relevant: 0.755 },
    bias: -6.82,
    weights: {
      topic: 3.94,
      agreement: 1.17,
      closeness: 0.7,
      coverage: 0.09,
      words: 1.58,
      lead: 1.67,
      named: 1.2,
      siblings: 2.27,
      alone: 3.52,
    },
    correction: [
      [0.29, 0.29],
      [0.49, 0.49],
      [0.7, 0.68],
      [0.91, 0.87],
    ],
  },
  // 84 % of 279 hits; 27 %; 4.7 %.
  {
    prefix: 'local:gte-small',
    scale: { offTopic: 0.788, relevant: 0.893 },
    bias: -6.74,
    weights: {
      topic: 4.25,
      agreement: 1.13,
      closeness: 0.41,
      coverage: 0,
      words: 1.35,
      lead: 1.91,
      named: 1.04,
      siblings: 2.4,
      alone: 4.93,
    },
    correction: [
      [0.3, 0.3],
      [0.49, 0.49],
      [0.69, 0.66],
      [0.92, 0.86],
    ],
  },
  // 84 % of 191 hits; 16 %; 2.9 %.
  {
    prefix: 'static:token-table',
    scale: { offTopic: 0.262, relevant: 0.561 },
    bias: -6,
    weights: {
      topic: 4.57,
      agreement: 0.42,
      closeness: 0.97,
      coverage: 0,
      words: 2.1,
      lead: 1.09,
      named: 1.3,
      siblings: 1.45,
      alone: 0,
    },
    correction: [
      [0.28, 0.28],
      [0.48, 0.48],
      [0.7, 0.65],
      [0.89, 0.86],
    ],
  },
];

/** For answers from text search alone: 86 % of 132 hits; 12 %; 2.6 %. */
export const textAlone: Curve = {
  bias: -6.25,
  weights: {
    topic: 0,
    agreement: 0.26,
    closeness: 0,
    coverage: 2.67,
    words: 3.46,
    lead: 0.93,
    named: 2.13,
    siblings: 1.79,
    alone: 0,
  },
  correction: [
    [0.28, 0.28],
    [0.5, 0.5],
    [0.68, 0.63],
    [0.89, 0.89],
  ],
};

/** For embedders that have no curve of their own, fitted on the four together: 79 % of 1,023 hits; 21 %; 3.3 %. */
export const anyEmbedder: Curve = {
  bias: -5.62,
  weights: {
    topic: 6.03,
    agreement: 0.32,
    closeness: 0,
    coverage: 1.41,
    words: 2.99,
    lead: 0.3,
    named: 1.74,
    siblings: 1.2,
    alone: 0,
  },
  correction: [
    [0.29, 0.29],
    [0.49, 0.47],
    [0.69, 0.58],
    [0.9, 0.82],
  ],
};
