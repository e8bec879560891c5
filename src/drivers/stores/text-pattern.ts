import type { TextPattern } from '../../contracts/store.ts';
import { messageOf, QuarryError } from '../../core/errors.ts';
import { shortened } from '../../core/text/shortened.ts';
import { countMatches, countMatchesWithin } from '../../platform/match-within.ts';

/**
 * How often a pattern occurs in each of these texts; `usage-invalid` when that takes too long. Where it takes a while
 * it gives way now and then: other work of the process may run in between.
 */
export type PatternCounter = (texts: readonly string[]) => Generator<void, number[], void>;

/** Milliseconds that counting an expression may take. */
export interface CountingTime {
  /** After these it gives way; a text that it did not come to the end of gets more the next time. */
  readonly turn: number;
  /** For one text at most, during which nothing else of the process runs. */
  readonly text: number;
  readonly altogether: number;
}

/** A chunk in which a pattern stands more often scores no higher than this. */
const maxOccurrences = 1_000;
/** Nothing interrupts the compiler: one of a thousand characters may already take it a tenth of a second. */
const maxExpressionLength = 1_000;
const defaultTime: CountingTime = { turn: 50, text: 400, altogether: 5_000 };

/** Counts a pattern; undefined for one that is in no text, `usage-invalid` for one that cannot be understood. */
export function patternCounter(
  pattern: TextPattern,
  time: CountingTime = defaultTime,
): PatternCounter | undefined {
  const { text, isRegex, ignoreCase } = pattern;
  // No text holds half a character.
  if (!isRegex && (text === '' || !text.isWellFormed())) return undefined;
  if (!isRegex && !ignoreCase) return each((whole) => countLiteral(text, whole));
  const expression = compile(pattern);
  // Letters alone are never slow: whatever the machine is doing, they are counted to the end.
  if (!isRegex)
    return each((whole) => translating(pattern, () => countMatches(expression, whole, maxOccurrences)));
  return expressionCounter(pattern, expression, time);
}

function each(count: (text: string) => number): PatternCounter {
  // biome-ignore lint/correctness/useYield: what is never slow needs to give way to nobody.
  return function* (texts) {
    return texts.map(count);
  };
}

function expressionCounter(pattern: TextPattern, expression: RegExp, time: CountingTime): PatternCounter {
  let left = time.altogether;
  const countSome = (texts: readonly string[], wanted: number): number[] => {
    if (left <= 0) throw invalid(pattern, 'takes too long');
    const start = performance.now();
    const bounds = { milliseconds: Math.min(left, wanted), max: maxOccurrences };
    const counts = translating(pattern, () => countMatchesWithin(expression, texts, bounds));
    left -= performance.now() - start;
    return counts;
  };
  return function* (texts) {
    const counts: number[] = [];
    let wanted = Math.min(time.turn, time.text);
    while (counts.length < texts.length) {
      const further = countSome(texts.slice(counts.length), wanted);
      for (const count of further) counts.push(count);
      if (counts.length === texts.length) break;
      const isStuck = further.length === 0;
      if (isStuck && wanted >= time.text) throw invalid(pattern, 'takes too long');
      wanted = Math.min(isStuck ? 2 * wanted : time.turn, time.text);
      yield;
    }
    return counts;
  };
}

function compile(pattern: TextPattern): RegExp {
  const { text, isRegex, ignoreCase } = pattern;
  if (isRegex && text.length > maxExpressionLength) {
    throw invalid(pattern, `is longer than ${maxExpressionLength} characters`);
  }
  const source = isRegex ? text : text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return translating(pattern, () => new RegExp(source, `${isRegex ? 'gmu' : 'gu'}${ignoreCase ? 'i' : ''}`));
}

/** An expression that is too large to be compiled is found out only when it is first used. */
function translating<Result>(pattern: TextPattern, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    // "Invalid regular expression: /(/gmu: Unterminated group": the last part is the news.
    const reason = messageOf(error).split(': ').at(-1) ?? '';
    throw invalid(pattern, `cannot be understood: ${reason}`, error);
  }
}

function invalid({ text }: TextPattern, fault: string, cause?: unknown): QuarryError {
  const shown = shortened(text, 81);
  return new QuarryError(
    'usage-invalid',
    `The pattern "${shown}" ${fault}.`,
    'Simplify it, or search for the text as it stands.',
    { cause },
  );
}

function countLiteral(literal: string, text: string): number {
  let count = 0;
  let place = text.indexOf(literal);
  while (place !== -1 && count < maxOccurrences) {
    count += 1;
    place = text.indexOf(literal, place + literal.length);
  }
  return count;
}
