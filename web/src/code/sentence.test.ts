import { expect, test } from 'vitest';
import { findSentence } from './sentence.ts';

const said = (text: string, sentence: string) => {
  const [start, end] = findSentence(text, sentence) ?? [0, 0];
  return text.slice(start, end);
};

test('a sentence is found as it stands, also over lines, quotes and lists', () => {
  expect(said('One. Two boats\nreturn. Three.', 'Two boats return.')).toBe('Two boats\nreturn.');
  expect(said('> the line\n> is late', 'the line is late')).toBe('the line\n> is late');
  expect(said('Costs (a+b)* more. No.', '“Costs (a+b)* more.”')).toBe('Costs (a+b)* more.');
});

test('what a model wrote leads to the sentence with most of its words, and to none where none has them', () => {
  const text = 'We met Weber. The launch takes place on 5 December. It rained.';
  expect(said(text, 'On 5 December the launch will take place.')).toBe(
    'The launch takes place on 5 December.',
  );
  expect(findSentence(text, 'The mayor of Atlantis pays.')).toBeUndefined();
  expect(findSentence(text, ' ')).toBeUndefined();
});

test('no text makes the looking long', () => {
  expect(findSentence(`The ${'// '.repeat(32)}dog`, 'The cat')).toBeUndefined();
}, 5_000);
