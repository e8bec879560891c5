import { beforeEach, expect, test } from 'vitest';
import { keepsNothing } from '../../../core/failures/keeps-nothing.ts';
import type { Place } from '../../../core/place.ts';
import { citationOf } from '../../../core/text/citation.ts';
import type { SearchHit, SearchPassage } from '../../../operations/find/hit-as-data.ts';
import { keptOutput } from '../terminal/kept-output.fixture.ts';
import { renderSearch } from './search.ts';

let kept: ReturnType<typeof keptOutput>;
beforeEach(() => {
  kept = keptOutput();
});

const at = (path: string, first: number, last: number) => {
  const place: Place = { kind: 'lines', first, last };
  return { place, citation: citationOf(path, place) };
};
const hit = (chunk: string, more: Partial<SearchHit> = {}): SearchHit => ({
  path: 'a.ts',
  ...at('a.ts', 1, 2),
  section: '',
  title: 'a.ts',
  type: 'code',
  relevance: 0.5,
  text: 'text',
  chunk,
  score: 1,
  ...more,
});
const passage = (hits: string[], text = 'text'): SearchPassage => ({
  path: 'a.ts',
  ...at('a.ts', 1, 9),
  section: '',
  context: '',
  relevance: 0.5,
  text,
  tokens: 1,
  is_cut: false,
  hits,
});
const show = (hits: SearchHit[], passages?: SearchPassage[]) =>
  renderSearch(
    { query: 'x', hits, ...(passages && { passages }), warnings: [], pending: 0, seconds: 0 },
    kept.output,
  );

test('places with their surroundings are explained too, each hit in them by its place', () => {
  const trace = [{ stage: 'text', rank: 1, score: 2 }];
  const copy = [{ path: 'b.ts', ...at('b.ts', 7, 8) }];
  show(
    [hit('one', { trace, also_at: copy }), hit('two', { trace, ...at('a.ts', 5, 6) })],
    [passage(['one', 'two'])],
  );
  expect(kept.results.map((line) => line.trim())).toEqual([
    '1. a.ts:1-9  strong',
    '│ text',
    'a.ts:1-2',
    'also at b.ts:7-8',
    'text         rank 1   BM25 2',
    'in the end            score 1, relevance 0.50',
    'a.ts:5-6',
    'text         rank 1   BM25 2',
    'in the end            score 1, relevance 0.50',
  ]);
});

test('a search whose hits are all weak says so, and one with a possible hit does not', () => {
  show([hit('one', { relevance: 0.1 }), hit('two', { relevance: 0.05 })]);
  expect(kept.results[0]).toBe('1. a.ts:1-2  weak');
  expect(kept.notes).toEqual([expect.stringMatching(/^All of it is weak/)]);
  kept.notes.length = 0;
  show([hit('one', { relevance: 0.2 }), hit('two', { relevance: 0.05 })]);
  expect(kept.notes).toEqual([]);
});

test('hits that found no room are counted', () => {
  show([hit('one'), hit('two'), hit('three')], [passage(['two'])]);
  expect(kept.notes).toEqual(['2 of 3 hits did not fit (--max-tokens).']);
  kept.notes.length = 0;
  show([hit('one'), hit('two')], [passage(['two', 'one'])]);
  expect(kept.notes).toEqual([]);
});

test('a step that moved a hit without a change of its score is no gain', () => {
  show([hit('one', { trace: [{ stage: 'diversity', score: 0, note: 'behind others' }] })]);
  expect(kept.results.map((line) => line.trim())).toContain('±0.000  behind others');
});

test('a passage of any number of lines is shown, less the white space that all of them share', () => {
  show([hit('one')], [passage(['one'], '    line\n'.repeat(400_000))]);
  expect(kept.results[1]).toBe('   │ line');
  expect(kept.results).toHaveLength(400_002);
});

const nothingIndexed = {
  documents: { indexed: 0, unchanged: 0, deleted: 0, failed: 0 },
  chunks: { total: 0, written: 0, embedded: 0, cached: 0, reused: 0, pending: 0 },
  skipped: {},
  redacted: 0,
  seconds: { total: 0, embedding: 0 },
};

test('a folder without any text and a query without an answer have different notes', () => {
  const empty = nothingIndexed;
  const result = { query: 'x', hits: [], warnings: [], pending: 0, seconds: 0 };
  renderSearch({ ...result, indexed: empty }, kept.output);
  renderSearch({ ...result, indexed: { ...empty, chunks: { ...empty.chunks, total: 3 } } }, kept.output);
  renderSearch(result, kept.output);
  expect(kept.notes.map((note) => note.split(/[.:]/)[0])).toEqual([
    'There is nothing to search',
    'Nothing found',
    'Nothing found',
  ]);
});

test('what keeps nothing has said why nothing is found', () => {
  const { message, remedy } = keepsNothing();
  const warnings = [{ code: 'index-stale' as const, message, remedy }];
  renderSearch(
    { query: 'x', hits: [], warnings, pending: 0, seconds: 0, indexed: nothingIndexed },
    kept.output,
  );
  expect(kept.notes).toEqual([expect.stringContaining(message)]);
});

test.each(['index-stale', 'store-busy'])(
  'nothing in an index that is not whole (%s) may be there later',
  (code) => {
    const warnings = [{ code, message: 'The files are not indexed yet.', remedy: 'Run: quarry index' }];
    renderSearch({ query: 'x', hits: [], warnings, pending: 0, seconds: 0 }, kept.output);
    expect(kept.notes.at(-1)).toMatch(/^Nothing found so far\. Ask again/);
  },
);

test('nothing after a run of all files is nothing, also where some of them are cut as before', () => {
  const stale = { code: 'index-stale', message: '2 documents still cut by previous settings.', remedy: '' };
  const documents = { indexed: 0, unchanged: 2, recut: 0, deleted: 0, failed: 0 };
  const chunks = { total: 3, written: 0, embedded: 0, reused: 0, cached: 0, pending: 0 };
  const indexed = { documents, chunks, skipped: {}, redacted: 0, seconds: { total: 0, embedding: 0 } };
  renderSearch({ query: 'x', hits: [], warnings: [stale], pending: 0, seconds: 0, indexed }, kept.output);
  expect(kept.notes.at(-1)).toMatch(/^Nothing found\. Try/);
});

test('further chunks of a document are named below its text, each with what is there', () => {
  const { path: _, title: _title, type: _type, ...further } = hit('two', at('a.ts', 5, 6));
  show([hit('one', { more: [further, { ...further, ...at('a.ts', 8, 9), section: 'Store.close' }] })]);
  expect(kept.results.map((line) => line.trim())).toEqual([
    '1. a.ts:1-2  strong',
    '│ text',
    'more at a.ts:5-6',
    'more at a.ts:8-9  Store.close',
  ]);
});

test('a hit of which a further chunk is shown has not been left out', () => {
  const { path: _, title: _title, type: _type, ...further } = hit('two', at('a.ts', 5, 6));
  show([hit('one', { more: [further] }), hit('three')], [passage(['two'])]);
  expect(kept.notes).toEqual(['1 of 2 hits did not fit (--max-tokens).']);
});

const listed = (path: string, relevance: number, more: object = {}) => ({
  path,
  citation: `${path}:1-2`,
  name: 'Store.put',
  relevance,
  chunk: path,
  further: [],
  about: 'Puts it.',
  ...more,
});
const digest = (more: object) =>
  ({ places: [], weaker: [], next: [], words: [], missing: [], ...more }) as never;
const showDigest = (more: object, rest: object = {}) =>
  renderSearch(
    { query: 'x', hits: [hit('a')], digest: digest(more), warnings: [], pending: 0, seconds: 0, ...rest },
    kept.output,
  );

test('a first hit is shown with the numbers of its lines and of those that are left out, the others on one line each', () => {
  const pieces = [
    { line: 9, text: '  put() {' },
    { line: 12, text: '  }' },
  ];
  const { about: _, ...head } = listed('a.ts', 0.9);
  const lead = { ...head, further: ['a.ts:40-44'], pieces, is_whole: false, chunks: [] };
  showDigest({ verdict: 'clear', lead, places: [listed('b.ts', 0.3)], weaker: ['c.ts:1', 'd.ts:4-6'] });
  expect(kept.results).toEqual([
    '1. a.ts:1-2  strong  Store.put',
    '    9 │ put() {',
    '   … 10-11',
    '   12 │ }',
    '   more at a.ts:40-44',
    '',
    '2. b.ts:1-2  possible  Store.put  Puts it.',
    '2 weaker hits (--full): c.ts:1  d.ts:4-6',
  ]);
});

test('that nothing is strong is said after the hits, with words of the project', () => {
  const places = [listed('a.ts', 0.1), listed('b.ts', 0.1, { was_shown: true })];
  showDigest({ verdict: 'weak', places, words: ['resident'], missing: ['daemon'] });
  expect(kept.results).toEqual([
    '1. a.ts:1-2  weak  Store.put  Puts it.',
    '2. b.ts:1-2  weak  Store.put  shown above',
    'Nothing matches strongly: these are the nearest there are. What is defined here: quarry outline FOLDER',
    'Words of this project near yours: resident',
    'No text here has: daemon',
  ]);
});

test('several questions are answered one after the other, each below itself', () => {
  const answer = {
    query: 'y',
    hits: [hit('b')],
    digest: digest({ verdict: 'open', places: [listed('b.ts', 0.2)] }),
    seconds: 0,
  };
  showDigest({ verdict: 'open', places: [listed('a.ts', 0.2)] }, { further: [answer] });
  expect(kept.results).toEqual([
    '? x',
    '1. a.ts:1-2  possible  Store.put  Puts it.',
    '',
    '? y',
    '1. b.ts:1-2  possible  Store.put  Puts it.',
  ]);
});

test('a first hit has what the graph says of it, and one last line the command that shows the rest of all questions', () => {
  const lead = {
    ...listed('a.ts', 0.9),
    further: [],
    pieces: [{ line: 9, text: 'put() {' }],
    is_whole: false,
    chunks: [],
    facts: 'called by main src/main.ts:6',
  };
  const also = {
    query: 'y',
    hits: [],
    seconds: 0,
    digest: digest({ verdict: 'weak', next: ['b $x.ts#get', 'a.ts#Store.put'] }),
  };
  showDigest({ verdict: 'clear', lead, next: ['a.ts#Store.put'] }, { further: [also] });
  expect(kept.results).toContain('   called by main src/main.ts:6');
  expect(kept.results.at(-1)).toBe(`To see these whole: quarry read "a.ts#Store.put" 'b $x.ts#get'`);
});

test('long definitions that are shown in part are proposed to be read for the question', () => {
  const shown = (query: string, more: object) => ({
    query,
    hits: [hit('a')],
    seconds: 0,
    digest: digest({ verdict: 'weak', ...more }),
  });
  const long = shown('who\ncloses "it"?', { next: ['a.ts#get', 'b.ts:1-9'], is_long: true });
  const rest = { warnings: [], pending: 0 };
  renderSearch({ ...long, ...rest, further: [shown('who opens it?', {})] }, kept.output);
  expect(kept.results.at(-1)).toBe(`Next: quarry read "a.ts#get" b.ts:1-9 --for 'who closes "it"?'`);
  renderSearch({ ...long, ...rest, further: [shown('who opens it?', { next: ['c.ts#put'] })] }, kept.output);
  expect(kept.results.at(-1)).toBe(
    'Next (--for "question" shows of long ones what answers): quarry read "a.ts#get" b.ts:1-9 "c.ts#put"',
  );
});

test('a program gets the numbers of lines without a frame around them', () => {
  const pieces = [
    { line: 8, text: '  put() {\n' },
    { line: 12, text: '  }' },
  ];
  const lead = { ...listed('a.ts', 0.9), further: [], pieces, is_whole: true, chunks: [] };
  renderSearch(
    {
      query: 'x',
      hits: [hit('a')],
      digest: digest({ verdict: 'clear', lead }),
      warnings: [],
      pending: 0,
      seconds: 0,
    },
    { ...kept.output, isPiped: true },
  );
  expect(kept.results).toEqual(['1. a.ts:1-2  strong  Store.put', '8│put() {', '… 10-11', '12│}']);
});

test('a program is told in three words that nothing is strong', () => {
  const weak = digest({ verdict: 'weak', places: [listed('a.ts', 0.1)] });
  const result = { query: 'x', hits: [hit('a')], digest: weak, warnings: [], pending: 0, seconds: 0 };
  renderSearch(result, { ...kept.output, isPiped: true });
  expect(kept.results.at(-1)).toBe('Nothing matches strongly.');
});

test('a program gets the beginning of each of several questions, which it has before it', () => {
  const asked = (query: string) => ({ query, hits: [], seconds: 0, digest: digest({ verdict: 'weak' }) });
  const further = [asked(`who ${'closes and '.repeat(9)}opens it?`)];
  const result = { ...asked('who reads it?'), further, warnings: [], pending: 0 };
  renderSearch(result, { ...kept.output, isPiped: true });
  expect(kept.results).toEqual(['? who reads it?', '', `? who ${'closes and '.repeat(5)}c…`]);
});
