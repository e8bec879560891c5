import { expect, test } from 'vitest';
import { analyseQuery } from './analyse-query.ts';
import { askedName } from './asked-name.ts';

test.each([
  ['where is Store.put defined?', 'Store.put'],
  ["where's put declared", 'put'],
  ['Where is the class Store', 'Store'],
  ['where is `put_document`?', 'put_document'],
  ['what does put do', 'put'],
  ['What does the Store class do?', 'Store'],
  ['what does valid? do', 'valid?'],
  ['what is putDocument', 'putDocument'],
  ['how does validate_token work?', 'validate_token'],
  ['show me the definition of class Store', 'Store'],
  ['implementation of Store::put()', 'Store::put()'],
  ['explain __init__', '__init__'],
])('%s asks for the definition of a name and nothing else', (question, name) => {
  expect(askedName(question)).toBe(name);
  const { text, kind, names } = analyseQuery(name);
  expect(analyseQuery(question)).toMatchObject({ text, kind, names, defined: name });
});

test.each([
  'what does it do?',
  'what does the code do',
  'what does the method do',
  'what is routing',
  'What is Ray Object',
  'where is Paris',
  'where is the router',
  'where is put used',
  'what does put do with a filter?',
  'how does Store.put call Store.check',
  'how does indexing work',
  'Store.put',
])('%s asks for more, or for no name', (question) => {
  expect(askedName(question)).toBeUndefined();
});

test('a question is still compared with texts as it stands', () => {
  expect(analyseQuery('what does put do?').literal).toBe('what does put do?');
});
