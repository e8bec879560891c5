import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkFloors, floorSentence, parseFloors } from './floors.ts';
import { metricNames, metrics, type Scores, scoresOf } from './metrics.ts';

const scored = (scores: Partial<Scores>) => ({
  run: 'engine',
  scores: { ...scoresOf([], []), ...scores },
});

describe('a floor', () => {
  test('names its metric as tables or as JSON name it', () => {
    for (const metric of metrics) {
      const names = [metric, metricNames[metric], metricNames[metric].toLowerCase()];
      for (const name of names) expect(parseFloors([`${name}=0.5`])).toEqual([{ metric, floor: 0.5 }]);
    }
  });

  test.each([
    ['0', 0],
    ['1', 1],
    ['1.0', 1],
    ['.7', 0.7],
    [' 0.25 ', 0.25],
  ])('may be written as %j', (written, floor) => {
    expect(parseFloors([`hit@5=${written}`])).toEqual([{ metric: 'hit_5', floor }]);
  });

  test.each([
    '70',
    '1.01',
    '-0.1',
    '',
    ' ',
    '0,7',
    '70%',
    'NaN',
    'Infinity',
    '1e-3',
    '0x1',
    '0.7=0.8',
    'high',
  ])('of %j is refused with the range', (written) => {
    expect(() => parseFloors([`ndcg@10=${written}`])).toThrow(
      expect.objectContaining({
        code: 'usage-invalid',
        message: expect.stringContaining('is not a number from 0 to 1'),
        remedy: expect.stringContaining('--floor ndcg@10=0.7'),
      }),
    );
  });

  test.each(['ndcg=0.7', 'ndcg@5=0.7', 'nonsense=0.7', '=0.7', 'constructor=0.7'])(
    'for no metric (%s) is refused with the metrics there are',
    (given) => {
      expect(() => parseFloors([given])).toThrow(
        expect.objectContaining({
          code: 'usage-invalid',
          message: expect.stringContaining('there is no metric'),
          remedy: expect.stringContaining('nDCG@10, recall@5'),
        }),
      );
    },
  );

  test('without a value, or for a metric that has one already, is refused', () => {
    expect(() => parseFloors(['ndcg@10'])).toThrow('--floor ndcg@10 has no "=".');
    expect(() => parseFloors(['ndcg@10=0.7', 'recall@5=0.7', 'nDCG_10=0.8'])).toThrow(
      '--floor names nDCG@10 twice (0.7 and 0.8).',
    );
  });

  test('is reached by a value that is no less, and not by one that is', () => {
    const floors = parseFloors(['ndcg@10=0.7', 'hit@1=0.7']);
    const checked = checkFloors(floors, scored({ ndcg_10: 0.7, hit_1: 0.6994 }));
    expect(checked.map(({ metric, reached }) => [metric, reached])).toEqual([
      ['ndcg_10', true],
      ['hit_1', false],
    ]);
    expect(checked.map(floorSentence)).toEqual([
      'nDCG@10 of engine reaches the floor: 0.700, asked for 0.7.',
      'hit@1 of engine is below the floor: 0.699, asked for 0.7.',
    ]);
  });

  test('that was read off a table holds for the value that stands there', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (value) => {
        const floors = parseFloors([`ndcg@10=${value.toFixed(3)}`]);
        expect(checkFloors(floors, scored({ ndcg_10: value }))[0]?.reached).toBe(true);
      }),
    );
  });
});

test('a floor with all digits of the value is reached, and is shown with as many', () => {
  const [exact, above] = checkFloors(parseFloors(['ndcg@10=0.8124']), scored({ ndcg_10: 0.8124 })).concat(
    checkFloors(parseFloors(['ndcg@10=0.8125']), scored({ ndcg_10: 0.8124 })),
  );
  expect([exact?.reached, above?.reached]).toEqual([true, false]);
  expect(above && floorSentence(above)).toContain('0.8124, asked for 0.8125');
});
