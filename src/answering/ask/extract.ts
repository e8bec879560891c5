import type { ContextSource } from '../../core/context.ts';
import { readCode } from '../../core/text/comments.ts';
import { queryTerms } from '../../core/text/terms.ts';
import { isProse, paragraphsOf, readability, withoutHeaders } from './prose.ts';
import { sentencesOf } from './sentences.ts';
import { evidenceOf, stemmed } from './support.ts';

/** A sentence of a source, as it stands there. */
export interface Quote {
  readonly text: string;
  readonly number: number;
  /** How well it answers; only its order has a meaning. */
  readonly score: number;
}

/** How alike each text and the question are in meaning, from -1 to 1. */
export type Similarity = (texts: readonly string[]) => Promise<readonly number[]>;

/** Quotes that an answer is made of. */
const maxQuotes = 3;
/** Sentences whose meaning is compared with the question: the best by words. */
const maxCompared = 32;
/** Of the score of the best: a weaker sentence is about something else. */
const minShare = 0.6;
/** How well a line of code reads, beside sentences. */
const lineReads = 0.7;
/** From here on a sentence can stand alone. */
const readsWell = 0.8;
/** A number in brackets, which a text has for its own notes. */
const ownNumber = /[ \t]*\[\d{1,3}(?:[ \t]*[,;–-][ \t]*\d{1,3}){0,9}\](?!\()/g;
const shortest = 20;
const longest = 600;

/** The sentences of the sources that answer a question best, best first. */
export async function extractQuotes(
  question: string,
  sources: readonly ContextSource[],
  similarity?: Similarity,
): Promise<Quote[]> {
  const candidates = byWords(question, sources).slice(0, maxCompared);
  // Without it the quotes are ranked by their words alone.
  const alike = await similarity?.(candidates.map(({ text }) => text)).catch(() => undefined);
  const ranked = candidates
    .map(({ text, number, score, reads }, index) => ({
      text,
      number,
      score: (score + (alike?.[index] ?? 0)) * reads,
    }))
    .sort((one, other) => other.score - one.score);
  const chosen: Quote[] = [];
  const least = minShare * (ranked[0]?.score ?? 0);
  for (const quote of ranked) {
    if (chosen.length === maxQuotes || quote.score < least) break;
    if (!chosen.some((other) => isRepeated(quote.text, other.text))) chosen.push(quote);
  }
  return chosen;
}

/** The first sentence of each source that reads well by itself: what each is about, in the order of their numbers. */
export function leadingQuotes(sources: readonly ContextSource[]): Quote[] {
  return sources.flatMap((source) => {
    const quotes = quotable(source);
    const most = Math.max(...quotes.map(({ reads }) => reads));
    const first = quotes.find(({ reads }) => reads >= Math.min(most, readsWell));
    return first ? [{ text: first.text, number: source.number, score: first.reads }] : [];
  });
}

/** Sentences by the words of the question that they have, rare ones counting more, and by the relevance of their source. */
function byWords(
  question: string,
  sources: readonly ContextSource[],
): readonly (Quote & { readonly reads: number })[] {
  const asked = [...new Set(queryTerms(question).map(stemmed))];
  const all = sources.flatMap((source) =>
    quotable(source).map((quote) => ({ ...quote, source, has: evidenceOf(quote.text).all })),
  );
  const rarity = new Map(
    asked.map((word) => [
      word,
      Math.log(1 + all.length / (1 + all.filter(({ has }) => has.has(word)).length)),
    ]),
  );
  const total = [...rarity.values()].reduce((sum, value) => sum + value, 0) || 1;
  return all
    .map(({ source, text, has, reads }) => {
      const covered = asked.reduce((sum, word) => sum + (has.has(word) ? (rarity.get(word) ?? 0) : 0), 0);
      return { text, number: source.number, reads, score: covered / total + 0.3 * (source.relevance ?? 1) };
    })
    .sort((one, other) => other.score - one.score);
}

/** What of a source can be quoted: sentences of prose; of code those of its comments and its lines; where there is no prose, lines. */
function quotable({ text, type }: ContextSource): { text: string; reads: number }[] {
  const isCode = type === 'code';
  const { comments, lines } = isCode ? readCode(text) : { comments: withoutHeaders(text), lines: undefined };
  const prose = paragraphsOf(comments).flatMap(sentencesIn).filter(isProse);
  const quotes = prose.map((sentence) => ({ text: sentence, reads: readability(sentence) }));
  if (quotes.length > 0 && !isCode) return quotes;
  const whole = (lines ?? comments.split('\n'))
    .map((line) => line.trim())
    // A number in brackets would be read as that of a source.
    .filter((line) => hasUsualLength(line) && /\p{L}/u.test(line) && !/\[\d{1,3}\]/.test(line));
  return [...quotes, ...whole.map((line) => ({ text: line, reads: lineReads }))];
}

function sentencesIn(paragraph: string): string[] {
  return sentencesOf(paragraph.replace(ownNumber, ''))
    .map(({ text }) => text.trim())
    .filter(hasUsualLength);
}

function hasUsualLength({ length }: string): boolean {
  return length >= shortest && length <= longest;
}

function isRepeated(one: string, other: string): boolean {
  const [few, many] = one.length < other.length ? [one, other] : [other, one];
  const words = [...evidenceOf(few).all];
  const { all } = evidenceOf(many);
  return words.filter((word) => all.has(word)).length >= 0.8 * words.length;
}
