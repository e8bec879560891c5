import { expect, test } from 'vitest';
import { maxKept, type NotesChange, noNotes, verdictOf, withChange } from './reader-notes.ts';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const after = (...changes: readonly (readonly [NotesChange, number?])[]) =>
  changes.reduce((notes, [change, second = 0]) => withChange(notes, change, at(second)), noNotes);
const recent = (...asked: readonly (readonly [string, number?])[]) =>
  after(...asked.map(([text, second]) => [{ asked: text }, second ?? 0] as const)).recent.map(
    ({ asked: text }) => text,
  );

test('a search is remembered once, the last one first, and what was only typed on the way is not', () => {
  expect(recent(['query=a'], ['query=b'], ['query=a'])).toEqual(['query=a', 'query=b']);
  expect(recent(['query=storm', 0], ['query=storm+warning', 5])).toEqual(['query=storm+warning']);
  expect(recent(['query=storm', 0], ['query=storm+warning', 3600])).toHaveLength(2);
});

test('what is kept has an end, but for questions', () => {
  const many = Array.from(
    { length: 600 },
    (_, number) => [{ asked: `query=${number}x`, opened: `chunk ${number}` }, number * 100] as const,
  );
  const { recent: searches, opened } = after(...many);
  expect([searches.length, opened.length]).toEqual([maxKept.recent, maxKept.opened]);
  expect(opened[0]).toBe('chunk 599');
});

test('a verdict is kept with its question, can be changed, and is gone when it is taken back', () => {
  const said = (...verdicts: readonly ('yes' | 'no' | 'undecided')[]) =>
    after(...verdicts.map((verdict) => [{ judged: { text: 'why?', path: 'a.md', verdict } }] as const));
  expect(said('yes').questions).toEqual([{ text: 'why?', relevant: [{ path: 'a.md', grade: 1 }] }]);
  expect(verdictOf(said('yes', 'no'), 'why?', 'a.md')).toBe('no');
  expect(said('yes', 'undecided').questions).toEqual([]);
});

test('a question that nothing answered is kept without an answer until there is one', () => {
  const kept = after([{ judged: { text: 'why?', verdict: 'undecided' } }]);
  expect(kept.questions).toEqual([{ text: 'why?', relevant: [] }]);
  const found = withChange(kept, { judged: { text: 'why?', path: 'a.md', verdict: 'yes' } });
  expect(found.questions).toHaveLength(1);
  // Not found again says nothing against what was found.
  expect(withChange(found, { judged: { text: 'why?', verdict: 'undecided' } }).questions).toEqual(
    found.questions,
  );
});

test('searches and questions are forgotten apart from each other', () => {
  const kept = after(
    [{ asked: 'query=a', saved: { asked: 'query=a', seen: ['one'] }, opened: 'one' }],
    [{ judged: { text: 'why?', path: 'a.md', verdict: 'yes' } }],
  );
  expect(withChange(kept, { forgotten: 'searches' })).toEqual({ ...noNotes, questions: kept.questions });
  expect(withChange(kept, { forgotten: 'questions' })).toEqual({ ...kept, questions: [] });
});
