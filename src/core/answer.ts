import type { ContextSource } from './context.ts';
import type { QuarryError } from './errors.ts';
import type { FirstLook } from './first-look.ts';
import type { IndexSummary } from './index-summary.ts';

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

/** An answer whose citations were checked. */
export interface AnswerOutcome {
  readonly answer: string;
  readonly kind: AnswerKind;
  /** The model that wrote it; absent where none did. */
  readonly model?: string;
  /** What was searched for: the question, with what it leans on. */
  readonly query: string;
  /** Those that sentences rest on first. */
  readonly sources: readonly AnswerSource[];
  readonly sentences: readonly CheckedSentence[];
  /** Whether the answer came to its end. */
  readonly isComplete: boolean;
  readonly warnings: readonly QuarryError[];
  /** Chunks that vector search does not cover yet. */
  readonly pending: number;
  /** Summary of the run that brought the index up to date before the search. */
  readonly indexed?: IndexSummary;
  /** How much was seen, where the answer did not wait until all files are indexed. */
  readonly firstLook?: FirstLook;
}
