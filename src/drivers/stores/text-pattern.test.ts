import { describe, expect, test } from 'vitest';
import type { TextPattern } from '../../contracts/store.ts';
import { type CountingTime, type PatternCounter, patternCounter } from './text-pattern.ts';

function count(
  text: string,
  texts: readonly string[],
  pattern: Partial<TextPattern> = {},
  time?: CountingTime,
) {
  const counter = patternCounter({ text, isRegex: false, ignoreCase: false, ...pattern }, time);
  return counter && atOnce(counter, texts);
}

function atOnce(counter: PatternCounter, texts: readonly string[]): number[] {
  const turns = counter(texts);
  for (;;) {
    const { done, value } = turns.next();
    if (done) return value;
  }
}

const ample = { turn: 10_000, text: 10_000, altogether: 60_000 };

describe('a literal', () => {
  test('is counted where it stands apart from itself', () => {
    expect(count('aa', ['aaaa', 'aaa', 'a', ''])).toEqual([2, 1, 0, 0]);
    expect(count('AA', ['aaaa', 'aAa', 'a', ''], { ignoreCase: true }, ample)).toEqual([2, 1, 0, 0]);
  });

  test('means every character as it stands, with and without regard to case', () => {
    const text = '^$\\.*+?()[]{}|/-#&~!%,:;<=>@`_"\' \n\0';
    expect(count(text, [text, `${text}${text}`])).toEqual([1, 2]);
    expect(count(text, [text, `${text}${text}`], { ignoreCase: true }, ample)).toEqual([1, 2]);
  });

  test('is in no text when it is empty or holds half a character', () => {
    expect(count('', ['a'])).toBeUndefined();
    expect(count('a\ud83e', ['a🦀'])).toBeUndefined();
  });

  test('that is too long to be compared without regard to case is refused as that', () => {
    expect(() => count('a'.repeat(4_000_000), ['a'.repeat(5_000_000)], { ignoreCase: true })).toThrow(
      expect.objectContaining({ code: 'usage-invalid' }),
    );
  });

  test('is not counted beyond a thousand', () => {
    expect(count('a', ['a'.repeat(2_000)])).toEqual([1_000]);
    expect(count('A', ['a'.repeat(2_000)], { ignoreCase: true }, ample)).toEqual([1_000]);
  });
});

describe('a regular expression', () => {
  const refusal = { code: 'usage-invalid', remedy: 'Simplify it, or search for the text as it stands.' };

  test('is refused with the reason when it is none', () => {
    expect(() => count('(a', [], { isRegex: true })).toThrow(
      expect.objectContaining({
        ...refusal,
        message: 'The pattern "(a" cannot be understood: Unterminated group.',
      }),
    );
  });

  test('is refused, and shown in part, when it is longer than anybody writes', () => {
    const text = 'ab'.repeat(600);
    expect(() => count(text, [], { isRegex: true })).toThrow(
      expect.objectContaining({
        ...refusal,
        message: `The pattern "${text.slice(0, 80)}…" is longer than 1000 characters.`,
      }),
    );
  });

  test('is refused when a text takes too long', () => {
    const time = { turn: 10, text: 10, altogether: 60_000 };
    expect(() => count('^(a+)+$', [`${'a'.repeat(100)}!`], { isRegex: true }, time)).toThrow(
      expect.objectContaining({ ...refusal, message: 'The pattern "^(a+)+$" takes too long.' }),
    );
  });

  test('is refused when all texts together take too long', () => {
    const time = { turn: 10_000, text: 10_000, altogether: 20 };
    const counter = patternCounter({ text: 'a+b', isRegex: true, ignoreCase: false }, time);
    const texts = ['a'.repeat(500)];
    expect(() => {
      while (counter) atOnce(counter, texts);
    }).toThrow(expect.objectContaining(refusal));
  });

  const endless = { text: '^(a+)+$', isRegex: true, ignoreCase: false };

  test('gives way to other work while it takes its time, and forgets no text for it', () => {
    const texts = Array.from({ length: 40 }, (_, index) => `${'a'.repeat(18)}${index % 2 ? '!' : ''}`);
    const turns = patternCounter(endless, { ...ample, turn: 1 })?.(texts);
    let waits = 0;
    let step = turns?.next();
    for (; step && !step.done; step = turns?.next()) waits += 1;
    expect(step?.value).toEqual(texts.map((text) => (text.endsWith('!') ? 0 : 1)));
    expect(waits).toBeGreaterThan(0);
  });

  test('gives way several times before it is given up', () => {
    const turns = patternCounter(endless)?.(['a', `${'a'.repeat(100)}!`]);
    let waits = 0;
    const countToTheEnd = () => {
      while (turns && !turns.next().done) waits += 1;
    };
    expect(countToTheEnd).toThrow(expect.objectContaining(refusal));
    expect(waits).toBeGreaterThan(1);
  });
});
