import { expect, test } from 'vitest';
import type { ContextSource } from '../../core/context.ts';
import { checkAnswer } from './check-answer.ts';
import { extractQuotes } from './extract.ts';

const source = (text: string) =>
  ({
    number: 1,
    text,
    type: 'conversation',
    title: '',
    section: '',
    signatures: '',
    relevance: 0.9,
  }) as ContextSource;

const sitting = [
  '#bridge, 2026-09-14, thread: The ramp sticks',
  '08:02 Mara: Morning. The ramp sticks again, who knows why?',
  '09:41 Jonas: It was the limit switch on port side. I replaced it, the ramp closes now.',
].join('\n\n');

test('a message of a chat is quoted whole, the line above its sitting never', async () => {
  const quotes = await extractQuotes('Why does the ramp stick?', [source(sitting)]);
  expect(quotes.map(({ text }) => text)).toContain(
    '09:41 Jonas: It was the limit switch on port side. I replaced it, the ramp closes now.',
  );
  expect(quotes.some(({ text }) => text.startsWith('#bridge'))).toBe(false);
});

test('what was answered comes before what was asked, and calls of tools are not quoted', async () => {
  const turn =
    'You, 2026-10-03: Why does the store test hang?\n\nClaude: The lease of the store test was never released.\n\n[Bash] npm test store hang\n> the store test hangs';
  const quotes = await extractQuotes('Why does the store test hang?', [source(turn)]);
  expect(quotes[0]?.text).toBe('Claude: The lease of the store test was never released.');
  expect(quotes.map(({ text }) => text).join()).not.toContain('npm test');
});

test('a source is named once, after a quotation of several sentences', () => {
  const checker = checkAnswer([source(sitting)]);
  const quote =
    '“09:41 Jonas: It was the limit switch on port side. I replaced it, the ramp closes now.” [1]';
  expect(checker.push(quote) + checker.end()).toBe(quote);
});

test('a row of numbers is quoted below the names of its columns', async () => {
  const table = 'date,departures,passengers\n2026-09-12,14,1203\n2026-09-13,12,988';
  const quotes = await extractQuotes('How many passengers on 2026-09-13?', [
    { ...source(table), type: 'data' },
  ]);
  expect(quotes[0]?.text).toBe('2026-09-13,12,988');
});
