import type { Candidate } from '../candidate.ts';
import type { AnalysedQuery } from '../query/analyse-query.ts';
import { anyEmbedder, type Curve, curves, textAlone } from './curves.ts';
import { type Signals, signalNames, signalsOf } from './signals.ts';

/**
 * The likelihood of each chunk, 0 to 1, that a judge would call it relevant, in the order given. It rises with the cosine
 * and with the words of the query that the chunk has. A hit of an exact or regex search has relevance 1.
 */
export function relevanceOf(query: AnalysedQuery, ranked: readonly Candidate[], space: string): number[] {
  const curve = curveFor(ranked, space);
  const signals = signalsOf(query, ranked, curve.scale);
  return ranked.map(({ trace }, place) => {
    if (trace.some(({ stage }) => stage === 'exact' || stage === 'regex')) return 1;
    const own = signals[place];
    return own ? likelihood(curve, own) : 0;
  });
}

/** The relevance that a curve gives to a chunk with these signals. */
export function likelihood({ bias, weights, correction }: Curve, signals: Signals): number {
  const logit = signalNames.reduce((sum, name) => sum + weights[name] * signals[name], bias);
  const said = 1 / (1 + Math.exp(-logit));
  let [from, low] = [0, 0];
  for (const [to, high] of [...correction, [1, 1] as const]) {
    if (said <= to) return low + ((said - from) / (to - from)) * (high - low);
    [from, low] = [to, high];
  }
  return 1;
}

function curveFor(ranked: readonly Candidate[], space: string): Curve {
  if (ranked.every(({ cosine }) => cosine === undefined)) return textAlone;
  return curves.find(({ prefix }) => space.startsWith(prefix)) ?? anyEmbedder;
}
