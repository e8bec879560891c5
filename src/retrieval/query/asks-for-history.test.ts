import { expect, test } from 'vitest';
import { asksForHistory } from './asks-for-history.ts';

test.each([
  ...[
    'why was the lock moved?',
    'Why were fees rounded down',
    'when did tides come in',
    'When was it removed?',
  ],
  ...[
    'who added the retry',
    'who last changed the parser?',
    'what changed in the scanner',
    'what was renamed?',
  ],
  ...[
    'which commit broke the map',
    'Warum wurde das Schloss ersetzt?',
    'seit wann gibt es Karten',
    'wer hat das geändert',
  ],
  ...['pourquoi a-t-on retiré la carte', 'quand a été ajouté le port', 'por qué se cambió el puerto'],
])('%j asks for what has changed', (query) => {
  expect(asksForHistory(query, undefined)).toBe(true);
});

test.each([
  ...[
    'how does the lock work',
    'what happens when a file is changed',
    'why is the lock released before the scan',
  ],
  ...[
    'who calls openStore',
    'when is the cache cleared',
    'added content',
    'commitFile',
    'removed documents',
    'warum ist der Port fest',
  ],
  ...['where are the changed files listed', 'What does it do when a chunk was removed?'],
])('%j asks for what is', (query) => {
  expect(asksForHistory(query, undefined)).toBe(false);
});

test('a filter that names a type, an author or a commit says what is meant', () => {
  expect(asksForHistory('lock', { types: ['commit'] })).toBe(true);
  expect(asksForHistory('lock', { authors: ['ada'] })).toBe(true);
  expect(asksForHistory('lock', { paths: ['commit:1a2b*'] })).toBe(true);
  expect(asksForHistory('why was it changed', { paths: ['src/**'] })).toBe(true);
  expect(asksForHistory('lock', { paths: ['src/**'], since: 1 })).toBe(false);
});
