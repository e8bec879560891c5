import { expect, test } from 'vitest';
import { isQuestion } from './is-question.ts';

test.each([
  'how is a boat reserved',
  'price of a skiff?',
  'Wann findet die Versammlung statt',
  'Where is it kept?',
])('%s is a question', (query) => expect(isQuestion(query)).toBe(true));

test.each([
  '',
  'reserveBoat',
  'what',
  'boat reservation',
  'is_open?',
  'whatever the boat does',
  'src/a.ts timeout',
])('"%s" is none', (query) => expect(isQuestion(query)).toBe(false));
