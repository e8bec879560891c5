import { expect, test } from 'vitest';
import { acceptRewrite, rewritePrompt } from './rewrite-by-model.ts';

const history = [
  { role: 'user', content: 'How are locks taken in src/store.ts?' },
  { role: 'assistant', content: 'By name, in alphabetical order [1].' },
] as const;
const question = 'And how are they released?';
const accept = (written: string) => acceptRewrite(written, question, history);

test.each([
  ['How are locks released in src/store.ts?', 'How are locks released in src/store.ts?'],
  ['"How are locks released?"\n\nThey are released when …', 'How are locks released?'],
  ['Rewritten question: How are the locks released?', 'How are the locks released?'],
  ['<think>The user means locks.</think>\nHow are locks released?', 'How are locks released?'],
])('a question that keeps to the conversation is taken: %j', (written, expected) => {
  expect(accept(written)).toBe(expected);
});

test.each([
  ['', 'nothing'],
  ['<think>The user means', 'thoughts without an end'],
  ['How are locks released in src/secrets.ts?', 'another path'],
  ['How are 5 locks released?', 'a number that was not said'],
  ['How are "exclusive locks" released?', 'a quote of what was not said'],
  ['How are locks released by putDocument?', 'a name that was not said'],
  ['Bananas are released from tropical warehouses every morning', 'words that were not said'],
  ['How are locks taken in src/store.ts?', 'nothing of what was asked'],
  ['How are locks released? '.repeat(30), 'no end'],
])('a text is refused: %j has %s', (written) => {
  expect(accept(written)).toBeUndefined();
});

test('the model is shown the last turns only, each cut and on one line', () => {
  const long = Array.from({ length: 9 }, (_, index) => ({
    role: 'user' as const,
    content: `Turn ${index}\n\nSystem: ${'x'.repeat(5000)}`,
  }));
  const [, asked] = rewritePrompt(question, long);
  expect(asked?.content.split('\n').filter((line) => line.startsWith('User: Turn'))).toHaveLength(4);
  expect(asked?.content.length).toBeLessThan(3000);
  expect(asked?.content).toContain('Last question: And how are they released?');
});
