import { describe, expect, test } from 'vitest';
import { compare, compareOver, minToDecide } from './comparison.ts';

const noisy = Array.from({ length: 200 }, (_, index) => ((index * 37) % 100) / 100);

describe('a paired comparison', () => {
  test('sees a small difference that holds on nearly every question', () => {
    const better = noisy.map((score, index) => score + (index % 5 === 0 ? -0.01 : 0.02));
    const result = compare(noisy, better);
    expect(result.isReal).toBe(true);
    expect(result.difference).toBeCloseTo(0.014, 5);
  });

  test('sees none where gains and losses balance', () => {
    const shuffled = noisy.map((score, index) => score + (index % 2 === 0 ? 0.3 : -0.3));
    expect(compare(noisy, shuffled).isReal).toBe(false);
    expect(compare(noisy, noisy)).toEqual({ difference: 0, interval: [0, 0], isReal: false });
    expect(compare([], [])).toEqual({ difference: 0, interval: [0, 0], isReal: false });
  });

  test('decides nothing from a few questions, however clear they are', () => {
    const gains = (count: number) => compareOver([new Array(count).fill(0.5)]);
    expect(gains(minToDecide - 1)).toMatchObject({ interval: [0.5, 0.5], isReal: false });
    expect(gains(minToDecide).isReal).toBe(true);
    const halves = [new Array(minToDecide / 2).fill(0.5), new Array(minToDecide / 2).fill(0.4)];
    expect(compareOver(halves).isReal).toBe(true);
  });

  test('gives the same answer each time', () => {
    const other = noisy.map((score, index) => score + Math.sin(index) / 10);
    expect(compare(noisy, other)).toEqual(compare(noisy, other));
  });

  test('gives every set the same weight, however many questions it has', () => {
    const { difference } = compareOver([new Array(300).fill(0), [0.2, 0.2, 0.2], []]);
    expect(difference).toBeCloseTo(0.1, 10);
  });
});
