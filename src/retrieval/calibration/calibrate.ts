import type { Candidate } from '../fuse.ts';
import type { Question } from '../question.ts';
import { anyEmbedder, type Curve, curves, textAlone } from './curves.ts';
import { signalNames, signalsOf } from './signals.ts';

/**
 * The likelihood of each passage, 0 to 1, that a judge would call it relevant, in the order given. It rises with the
 * cosine and with the words of the question that the passage has. What was looked for letter by letter is what was
 * asked for.
 */
export function relevanceOf(question: Question, ranked: readonly Candidate[], space: string): number[] {
  const curve = curveFor(ranked, space);
  const signals = signalsOf(question, ranked, curve.scale);
  return ranked.map(({ trace }, place) => {
    if (trace.some(({ stage }) => stage === 'exact' || stage === 'regex')) return 1;
    const logit = signalNames.reduce(
      (sum, name) => sum + curve.weights[name] * (signals[place]?.[name] ?? 0),
      curve.bias,
    );
    return 1 / (1 + Math.exp(-logit));
  });
}

function curveFor(ranked: readonly Candidate[], space: string): Curve {
  if (ranked.every(({ cosine }) => cosine === undefined)) return textAlone;
  return curves.find(({ prefix }) => space.startsWith(prefix)) ?? anyEmbedder;
}
