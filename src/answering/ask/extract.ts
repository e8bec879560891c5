import type { ContextSource } from '../../core/context.ts';
import { queryTerms } from '../../core/text/terms.ts';
import { dateOf, disagree, hasOtherValues, namesOtherDay, threadOf } from './disagree.ts';
import { type Quotable, quotablesOf } from './quotable.ts';
import { evidenceOf, stemmed } from './support.ts';

/** A sentence of a source, as it stands there. */
export interface Quote {
  readonly text: string;
  readonly number: number;
  /** How well it answers; only its order has a meaning. */
  readonly score: number;
  /** Where a quote before it says otherwise: whether this one is older, or only of another place. */
  readonly against?: 'earlier' | 'elsewhere';
}

/** How alike each text and the question are in meaning, from -1 to 1. */
export type Similarity = (texts: readonly string[]) => Promise<readonly number[]>;

/** Quotes that an answer is made of. */
const maxQuotes = 3;
/** Sentences whose meaning is compared with the question: the best by words. */
const maxCompared = 32;
/** Of the score of the best: a weaker sentence is about something else. */
const minShare = 0.6;
/** From here on a sentence can stand alone. */
const readsWell = 0.8;
/** What a word of the question counts that stands in the heading of a sentence, or in the title, and not in itself. */
const countsAbove = { heading: 0.7, title: 0.4 };
/** What is left of the score of a message whose thread has a newer one with about as good an answer. */
const olderCounts = 0.85;
const aboutAsGood = 0.6;

type Candidate = Quotable & { readonly source: ContextSource; readonly score: number };

/** The sentences of the sources that answer a question best, best first; what says otherwise than a newer one after that. */
export async function extractQuotes(
  question: string,
  sources: readonly ContextSource[],
  similarity?: Similarity,
): Promise<Quote[]> {
  const candidates = byWords(question, sources).slice(0, maxCompared);
  // Without it the quotes are ranked by their words alone.
  const alike = await similarity?.(candidates.map(inItsPlace)).catch(() => undefined);
  const scored = candidates.map((candidate, index) => ({
    ...candidate,
    score: (candidate.score + (alike?.[index] ?? 0)) * candidate.reads,
  }));
  const ranked = scored
    .map((candidate) => ({
      ...candidate,
      score: candidate.score * (hasNewer(candidate, scored) ? olderCounts : 1),
    }))
    .sort((one, other) => other.score - one.score);
  const chosen: Candidate[] = [];
  const min = minShare * (ranked[0]?.score ?? 0);
  for (const candidate of ranked) {
    if (chosen.length === maxQuotes || candidate.score < min) break;
    if (!chosen.some((other) => isRepeated(candidate.text, other.text))) chosen.push(candidate);
  }
  return arranged(withCorrections(chosen, ranked).slice(0, maxQuotes));
}

/** The chosen, and for each that a newer message of its thread corrects, that message: it may have fewer of the words. */
function withCorrections(chosen: readonly Candidate[], ranked: readonly Candidate[]): readonly Candidate[] {
  return chosen.flatMap((candidate) => {
    const thread = threadOf(candidate.source);
    if (thread === undefined) return [candidate];
    const correction = ranked.find(
      (other) =>
        !chosen.includes(other) &&
        threadOf(other.source) === thread &&
        dateOf(other.source) > dateOf(candidate.source) &&
        disagree(candidate, other),
    );
    return correction ? [candidate, correction] : [candidate];
  });
}

/** The first sentence of each source that reads well by itself: what each is about, in the order of their numbers. Settings, logs and tables introduce nothing. */
export function leadingQuotes(sources: readonly ContextSource[]): Quote[] {
  return sources.flatMap((source) => {
    const quotes = quotablesOf(source).filter(({ isSentence }) => isSentence || source.type === 'code');
    const max = Math.max(...quotes.map(({ reads }) => reads));
    const first = quotes.find(({ reads }) => reads >= Math.min(max, readsWell));
    return first ? [{ text: first.text, number: source.number, score: first.reads }] : [];
  });
}

/** Sentences by the words of the question that they have, rare ones counting more, and by the relevance of their source. */
function byWords(question: string, sources: readonly ContextSource[]): readonly Candidate[] {
  const asked = [...new Set(queryTerms(question).map(stemmed))];
  const all = sources.flatMap((source) => {
    const title = evidenceOf(`${source.title} ${source.section}`).all;
    return quotablesOf(source, question).map((quote) => ({
      ...quote,
      source,
      title,
      has: evidenceOf(quote.text).all,
      above: evidenceOf(quote.heading).all,
    }));
  });
  const rarity = new Map(
    asked.map((word) => [
      word,
      Math.log(1 + all.length / (1 + all.filter(({ has }) => has.has(word)).length)),
    ]),
  );
  const total = [...rarity.values()].reduce((sum, value) => sum + value, 0) || 1;
  return all
    .map(({ has, above, title, ...quote }) => {
      const countOf = (word: string): number => {
        if (has.has(word)) return 1;
        return above.has(word) ? countsAbove.heading : title.has(word) ? countsAbove.title : 0;
      };
      const covered = asked.reduce((sum, word) => sum + countOf(word) * (rarity.get(word) ?? 0), 0);
      return { ...quote, score: covered / total + 0.3 * (quote.source.relevance ?? 1) };
    })
    .sort((one, other) => other.score - one.score);
}

/** A sentence with the heading that says what it is about. */
function inItsPlace({ heading, text }: Quotable): string {
  return heading === '' ? text : `${heading}: ${text}`;
}

/** Whether a newer message of the same thread has about as good an answer. */
function hasNewer({ source, score }: Candidate, all: readonly Candidate[]): boolean {
  const thread = threadOf(source);
  if (thread === undefined) return false;
  const date = dateOf(source);
  return all.some(
    (other) =>
      threadOf(other.source) === thread && dateOf(other.source) > date && other.score >= aboutAsGood * score,
  );
}

/** The best first, but what says otherwise than a newer one behind that, and marked. */
function arranged(chosen: readonly Candidate[]): Quote[] {
  const order: Candidate[] = [];
  for (const candidate of chosen) {
    const date = dateOf(candidate.source);
    const isCorrecting = (other: Candidate): boolean =>
      date > dateOf(other.source) &&
      dateOf(other.source) !== '' &&
      (disagree(candidate, other) || namesOtherDay(candidate, other));
    const at = order.findIndex(isCorrecting);
    order.splice(at === -1 ? order.length : at, 0, candidate);
  }
  return order.map((candidate, index) => {
    const { text, score, source } = candidate;
    const opposed = order
      .slice(0, index)
      .find((other) => disagree(candidate, other) || namesOtherDay(candidate, other));
    const [own, others] = [dateOf(source), opposed ? dateOf(opposed.source) : ''];
    const against = own !== '' && own < others ? 'earlier' : 'elsewhere';
    return { text, number: source.number, score, ...(opposed && { against }) } as const;
  });
}

function isRepeated(one: string, other: string): boolean {
  const [few, many] = one.length < other.length ? [one, other] : [other, one];
  const words = [...evidenceOf(few).all];
  const { all } = evidenceOf(many);
  const isAlike = words.filter((word) => all.has(word)).length >= 0.8 * words.length;
  // The same sentence with another number says something else.
  return isAlike && !hasOtherValues(few, many);
}
