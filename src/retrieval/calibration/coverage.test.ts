import { expect, test } from 'vitest';
import { analyseQuery } from '../query/analyse-query.ts';
import { candidatesOf } from './candidates.fixture.ts';
import { coverageOf, wholePresenceOf } from './coverage.ts';

const sharesOf = (query: string, ...texts: readonly string[]) =>
  coverageOf(analyseQuery(query).words, candidatesOf(texts.map((text) => ({ text })))).shares;

test('a chunk with all the words of a query covers it, one with none does not', () => {
  expect(sharesOf('salted password hashes', 'Password hashes are salted.', 'The weather.')).toEqual([1, 0]);
});

test.each([
  ['parse configuration', 'it parses configurations'],
  ['store documents', 'putDocument(storage)'],
  ['cafe menu', 'Menü im Café'],
  ['東京駅', '明日は東京駅で会う'],
])('words are found in other forms and inside names: %s', (query, text) => {
  expect(sharesOf(query, text)).toEqual([1]);
});

test('a short word does not count in the middle of another', () => {
  expect(sharesOf('cat', 'the location', 'a cat')).toEqual([0, 1]);
});

test('a header counts as the chunk does', () => {
  const [candidate] = candidatesOf([{ text: 'It is made once.', header: 'Vectors > Cache' }]);
  expect(coverageOf(['vectors', 'cache'], candidate ? [candidate] : []).shares).toEqual([1]);
});

test('a rare word weighs more than one that every chunk has', () => {
  const many = Array.from({ length: 400 }, () => 'ray');
  const [common = 0, rare = 0] = sharesOf('ray autoscaler', 'ray', 'ray autoscaler', ...many);
  expect(rare).toBe(1);
  expect(common).toBeLessThan(0.2);
});

test('chunks about something else that come into a small list change nothing', () => {
  const [before] = sharesOf('salted password', 'salted', 'password');
  const others = Array.from({ length: 60 }, (_, number) => `river ${number}`);
  expect(sharesOf('salted password', 'salted', 'password', ...others)[0]).toBe(before);
});

test('no words, no chunks and very long queries are borne', () => {
  expect(sharesOf('', 'text')).toEqual([0]);
  expect(sharesOf('query')).toEqual([]);
  const long = Array.from({ length: 5000 }, (_, index) => `word${index}`).join(' ');
  expect(sharesOf(long, long)).toEqual([1]);
});

test('a name is there as a whole word, up to its ending, and not as the beginning of another', () => {
  const texts = ['import axios from "axios";', 'An axiom holds.', 'Invoices are due.', 'call putDocument()'];
  const candidates = candidatesOf(texts.map((text) => ({ text })));
  expect(wholePresenceOf(['axios', 'invoice', 'putdocument'], candidates)).toEqual([
    [true, false, false],
    [false, false, false],
    [false, true, false],
    [false, false, true],
  ]);
});
