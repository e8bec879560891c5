import { counted } from '../../core/text/counted.ts';
import type { Answer, EvaluatedSet } from '../evaluation-result.ts';

/** One run of an evaluation. */
export interface RunOf {
  readonly evaluation: { readonly sets: readonly EvaluatedSet[] };
  readonly run: string;
}

/** One question with the answers of two runs. */
export interface AnswerPair {
  readonly set: string;
  readonly id: string;
  readonly text: string;
  readonly before: Answer;
  readonly after: Answer;
}

/** A set of the later run, with its questions that the earlier one was asked in the same words. */
export interface PairedSet {
  readonly set: string;
  /** How many questions the set has. */
  readonly asked: number;
  readonly pairs: readonly AnswerPair[];
}

/** Pairs the answers of two runs, set by set. */
export function pairedSets(before: RunOf, after: RunOf): PairedSet[] {
  return after.evaluation.sets.map(({ name, questions }) => {
    const known = new Map(previousOf(before, name)?.questions.map((question) => [question.id, question]));
    const pairs = questions.flatMap(({ id, text, answers }) => {
      const previous = known.get(id);
      const [first, second] = [previous?.answers[before.run], answers[after.run]];
      return previous?.text === text && first && second
        ? { set: name, id, text, before: first, after: second }
        : [];
    });
    return { set: name, asked: questions.length, pairs };
  });
}

/** Why a comparison of a set does not cover all its questions. */
export function notShared({ set, asked, pairs }: PairedSet, before: RunOf): string[] {
  if (!previousOf(before, set)) return [`The saved evaluation has no set ${set}.`];
  const left = asked - pairs.length;
  return left > 0
    ? [`${set}: not in the saved evaluation, or changed since: ${counted(left, 'question')}.`]
    : [];
}

function previousOf({ evaluation }: RunOf, set: string): EvaluatedSet | undefined {
  return evaluation.sets.find(({ name }) => name === set);
}
