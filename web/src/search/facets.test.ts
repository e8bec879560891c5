import { expect, test } from 'vitest';
import { facetsOf } from './facets.ts';

const now = Date.parse('2026-05-20T12:00:00Z');
const hit = (path: string, type: string, written_at: string, language?: string) => ({
  path,
  type,
  written_at,
  ...(language !== undefined && { language }),
});

test('hits are counted by what tells them apart', () => {
  const hits = [
    hit('work/src/a.ts', 'code', '2026-05-20T08:00:00Z', 'typescript'),
    hit('work/src/deep/b.ts', 'code', '2026-05-18T08:00:00Z', 'typescript'),
    hit('work/docs/c.md', 'doc', '2020-01-01T08:00:00Z'),
  ];
  expect(
    facetsOf(hits, now).map(({ filter, values }) => [
      filter,
      values.map(({ value, count }) => [value, count]),
    ]),
  ).toEqual([
    [
      'type',
      [
        ['code', 2],
        ['doc', 1],
      ],
    ],
    // Below the folder that all of them are in.
    [
      'in',
      [
        ['work/src', 2],
        ['work/docs', 1],
      ],
    ],
    ['language', [['typescript', 2]]],
    [
      'since',
      [
        ['today', 1],
        ['7d', 2],
      ],
    ],
  ]);
});

test('people are counted by their names, and tags and projects by their names', () => {
  const by = (path: string, authors: string[], tags: string[], project: string) => ({
    ...hit(path, 'email', ''),
    authors,
    tags,
    project,
  });
  const facets = facetsOf(
    [
      by('a.eml', ['Ada Weber <ada@x.example>'], ['boat', 'boat'], 'api'),
      by('b.eml', ['"Ada Weber" <office@x.example>'], ['boat'], 'web'),
      by('c.eml', ['bo@x.example', 'Cem'], [], 'web'),
      by('all.mbox', ['Bo <bo@y.example>'], [], 'web'),
    ],
    now,
  );
  const valuesOf = (name: string) =>
    facets.find(({ filter }) => filter === name)?.values.map(({ value, count }) => [value, count]);
  expect(valuesOf('author')).toEqual([
    ['Ada Weber', 2],
    // A part of a name is enough for the filter, and this one is a part of another's.
    ['"Bo"', 1],
    ['Cem', 1],
    ['bo@x.example', 1],
  ]);
  expect(valuesOf('tag')).toEqual([['boat', 2]]);
  expect(valuesOf('projects')).toEqual([
    ['web', 3],
    ['api', 1],
  ]);
});

test('what all hits share is no facet, nor is a type that nobody has heard of lost', () => {
  expect(facetsOf([hit('a.md', 'doc', 'no date'), hit('b.md', 'doc', 'no date')], now)).toEqual([]);
  expect(facetsOf([hit('a', 'transcript', ''), hit('b', 'commit', '')], now)[0]?.values).toHaveLength(2);
});

test('today is what was written since the day began, not in the last twenty-four hours', () => {
  const noon = new Date(2026, 4, 20, 12).getTime();
  const hours = [1, 11, 13, 20, 24 * 8].map((ago) => new Date(noon - ago * 3_600_000).toISOString());
  const times = facetsOf(
    hours.map((written, at) => hit(`${at}.md`, 'doc', written)),
    noon,
  ).find(({ filter }) => filter === 'since');
  expect(times?.values.map(({ value, count }) => [value, count])).toEqual([
    ['today', 2],
    ['7d', 4],
  ]);
});

test('every kind of a project with many of them can be chosen', () => {
  const types = 'adr book code commit contact conversation data doc email event image log note sheet slides';
  const hits = types.split(' ').map((type) => hit(`a.${type}`, type, ''));
  expect(facetsOf(hits, now).find(({ filter }) => filter === 'type')?.values).toHaveLength(hits.length);
});
