import type { ContextSource } from './context.ts';

/** What an answer is: written by a model, sentences quoted from the sources, or that there is none. */
export const answerKinds = ['generated', 'extractive', 'none'] as const;
export type AnswerKind = (typeof answerKinds)[number];

/** Whether the file of a source still holds its text: in its place, elsewhere, no longer, or the file is gone. */
export const diskStates = ['current', 'moved', 'changed', 'gone'] as const;
export type DiskState = (typeof diskStates)[number];

/**
 * Whether a sentence may be relied on: a source has what it says; none has; one has, but its file says something else by
 * now; or it says too little to be checked.
 */
export const verdicts = ['supported', 'unsupported', 'stale', 'unchecked'] as const;
export type Verdict = (typeof verdicts)[number];

/** What was found out about a sentence of an answer. */
export interface CheckedSentence {
  readonly text: string;
  /** Sources that it cites. */
  readonly cited: readonly number[];
  /** Sources that have its words close together, the best first. */
  readonly supportedBy: readonly number[];
  /** The best support that it has, 0 to 1. */
  readonly support: number;
  readonly verdict: Verdict;
}

/** A source of an answer. */
export interface AnswerSource extends ContextSource {
  /** Whether a sentence rests on it. */
  readonly isCited: boolean;
  readonly onDisk: DiskState;
}
