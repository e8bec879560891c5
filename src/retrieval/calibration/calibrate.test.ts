import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bundledModels } from '../../models/catalogue.ts';
import { analyseQuery } from '../query/analyse-query.ts';
import { rankRules } from '../rules/rules.ts';
import { relevanceOf } from './calibrate.ts';
import { candidatesOf, type Described } from './candidates.fixture.ts';
import { anyEmbedder, curves, textAlone } from './curves.ts';
import { namingRules } from './signals.ts';

const query = analyseQuery('which planets orbit distant stars');
const spaces = [...curves.map(({ prefix }) => `${prefix}:1`), 'unheard-of:model'];
const vocabulary = [...query.words, 'telescope', 'sausage', 'invoice', 'river'];

test('every model inside the package has a curve of its own', () => {
  for (const { card } of bundledModels)
    expect(curves.filter(({ prefix }) => prefix === `local:${card.name}`)).toHaveLength(1);
});

const described: fc.Arbitrary<Described> = fc.record(
  {
    text: fc.subarray(vocabulary).map((words) => words.join(' ')),
    uri: fc.constantFrom('a.md', 'b.md', 'c.md'),
    score: fc.double({ min: 0, max: 2, noNaN: true }),
    cosine: fc.double({ min: -0.2, max: 1, noNaN: true }),
    bm25: fc.double({ min: 0, max: 40, noNaN: true }),
  },
  { requiredKeys: ['text', 'uri', 'score'] },
);
const chunks = fc.array(described, { minLength: 1, maxLength: 14 });
const place = fc.nat(13);

function changed(all: readonly Described[], at: number, change: Partial<Described>): Described[] {
  return all.map((one, index) => (index === at % all.length ? { ...one, ...change } : one));
}

describe.each(spaces)('with the curve of %s', (space) => {
  const relevances = (all: readonly Described[]) => relevanceOf(query, candidatesOf(all), space);

  test('relevance lies between 0 and 1, one for each chunk', () => {
    fc.assert(
      fc.property(chunks, (all) => {
        const values = relevances(all);
        expect(values).toHaveLength(all.length);
        expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
      }),
    );
  });

  test('it does not fall when the cosine rises', () => {
    fc.assert(
      fc.property(chunks, place, fc.double({ min: 0, max: 1, noNaN: true }), (all, at, rise) => {
        const before = all[at % all.length]?.cosine;
        fc.pre(before !== undefined);
        const after = changed(all, at, { cosine: Math.min(1, before + rise) });
        expect(relevances(after)[at % all.length]).toBeGreaterThanOrEqual(
          (relevances(all)[at % all.length] ?? 0) - 1e-12,
        );
      }),
    );
  });

  test('it does not fall when the chunk has one more word of the query', () => {
    fc.assert(
      fc.property(chunks, place, fc.constantFrom(...query.words), (all, at, word) => {
        const longer = `${all[at % all.length]?.text} ${word}`;
        expect(relevances(changed(all, at, { text: longer }))[at % all.length]).toBeGreaterThanOrEqual(
          (relevances(all)[at % all.length] ?? 0) - 1e-12,
        );
      }),
    );
  });
});

test('no curve has a weight below zero or a correction that falls', () => {
  for (const { weights, correction } of [...curves, textAlone, anyEmbedder]) {
    expect(Object.values(weights).every((weight) => weight >= 0)).toBe(true);
    const rising = (values: readonly number[]) => values.every((value, at) => value >= (values[at - 1] ?? 0));
    expect(rising([...correction.map(([said]) => said), 1])).toBe(true);
    expect(rising([...correction.map(([, judged]) => judged), 1])).toBe(true);
  }
});

test('an unheard-of embedder may press its cosines together without changing what is relevant', () => {
  const wide = [0.8, 0.5, 0.3, 0.2].map((cosine) => ({ text: 'planets and stars', cosine, bm25: 3 }));
  const narrow = wide.map((one) => ({ ...one, cosine: 1 - (1 - one.cosine) * 0.2 }));
  const [first, second] = [wide, narrow].map((all) => relevanceOf(query, candidatesOf(all), 'other'));
  second?.forEach((value, at) => {
    expect(value).toBeCloseTo(first?.[at] ?? 0, 10);
  });
});

test('what was looked for letter by letter is relevant', () => {
  const trace = [{ stage: 'exact', rank: 1, score: 1 }];
  expect(relevanceOf(query, candidatesOf([{ text: 'sausage', trace }]), '')).toEqual([1]);
});

test('a chunk that defines what is asked for is more relevant than the same one that does not', () => {
  const chunk = { text: 'stars', bm25: 2, cosine: 0.4 };
  const note = { stage: 'rank', score: 0.5, note: 'defines what is asked for' };
  const [plain = 0] = relevanceOf(query, candidatesOf([chunk]), 'other');
  expect(relevanceOf(query, candidatesOf([{ ...chunk, trace: [note] }]), 'other')[0]).toBeGreaterThan(plain);
});

test('the only chunk of an index is not relevant because nothing else is there', () => {
  const [curve] = curves;
  const alone = (cosine: number) =>
    relevanceOf(query, candidatesOf([{ text: 'sausage', score: 1, cosine }]), `${curve?.prefix}:1`)[0];
  expect(alone(curve?.scale?.offTopic ?? 0)).toBeLessThan(0.15);
  expect(alone(curve?.scale?.relevant ?? 1)).toBeGreaterThan(0.15);
});

test('every rule that is said to name what is asked for is a rule', () => {
  const rules = rankRules.map(({ name }) => name);
  expect(namingRules.filter((name) => !rules.includes(name))).toEqual([]);
});
