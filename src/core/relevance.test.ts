import { expect, test } from 'vitest';
import { settingsSchema } from '../settings/settings.ts';
import { possibleFrom, relevanceWord, strongFrom } from './relevance.ts';

test('a relevance has one of three words, each from its bound on', () => {
  expect([0, 0.149, possibleFrom, 0.499, strongFrom, 1].map(relevanceWord)).toEqual([
    'weak',
    'weak',
    'possible',
    'possible',
    'strong',
    'strong',
  ]);
});

test('what is weak is not put into a prompt, unless the settings say otherwise', () => {
  expect(settingsSchema.parse({}).context.threshold).toBe(possibleFrom);
});
