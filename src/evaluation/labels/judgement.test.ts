import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { metrics, scoresOf } from '../measures/metrics.ts';
import { type FoundPlace, type FoundText, judge, type ResolvedLabel } from './judgement.ts';

type NumberedChunk = readonly [uri: string, chunk: number];

/** Chunks are ten lines each. */
const place = ([uri, chunk]: NumberedChunk): FoundPlace => ({
  uri,
  lines: [chunk * 10 + 1, chunk * 10 + 10],
});
/** A chunk by path and number, and its copies. */
const text = (own: NumberedChunk, ...copies: NumberedChunk[]): FoundText => ({
  id: own.join('#'),
  places: [own, ...copies].map(place),
});
const texts = (...found: NumberedChunk[]) => found.map((own) => text(own));
const label = (uris: string | string[], grade = 1, lines?: [number, number]): ResolvedLabel => ({
  path: String(uris),
  uris: new Set([uris].flat()),
  grade,
  ...(lines && { lines }),
});

describe('an answer', () => {
  test('is a ranking of documents, each at its first chunk', () => {
    const { gains, places } = judge(texts(['a', 0], ['a', 1], ['b', 0], ['a', 2], ['c', 0]), [
      label('b'),
      label('c', 2),
    ]);
    expect(gains).toEqual([0, 1, 2]);
    expect(places.map(({ uri }) => uri)).toEqual(['a', 'b', 'c']);
  });

  test('is a ranking of chunks where a label names lines', () => {
    const found = texts(['a', 0], ['a', 1], ['b', 0], ['a', 2]);
    const { gains, places } = judge(found, [label('a', 1, [15, 18])]);
    expect(gains).toEqual([0, 1, 0, 0]);
    expect(places[1]).toEqual({ uri: 'a', lines: [11, 20] });
  });

  test('finds each label once: further chunks of the same lines take no place', () => {
    expect(judge(texts(['a', 0], ['a', 1], ['b', 0]), [label('a', 1, [8, 13])]).gains).toEqual([1, 0]);
    expect(judge(texts(['x/a', 0], ['y/a', 0], ['b', 0]), [label(['x/a', 'y/a'])]).gains).toEqual([1, 0]);
  });

  test('gives a chunk that finds two labels a place for each', () => {
    const labels = [label('a', 1, [2, 3]), label('a', 2, [5, 6])];
    expect(judge(texts(['a', 0], ['b', 0]), labels).gains).toEqual([2, 1, 0]);
  });

  test('is empty where nothing was found', () => {
    expect(judge([], [label('a')])).toEqual({ gains: [], places: [] });
  });
});

describe('a copy that is shown with a hit', () => {
  test('counts at the place of the hit, and is what stands there', () => {
    const found = [text(['x', 0]), text(['a', 0], ['b', 3])];
    expect(judge(found, [label('b')])).toEqual({ gains: [0, 1], places: [{ uri: 'x' }, { uri: 'b' }] });
  });

  test('counts once: neither further chunks of it nor a second fold take a place', () => {
    const found = [text(['a', 0], ['b', 0]), text(['b', 1]), text(['a', 2], ['b', 2]), text(['c', 0])];
    expect(judge(found, [label('b')]).gains).toEqual([1, 0]);
  });

  test('counts once where hit and copy are both meant by one label', () => {
    expect(judge([text(['x/a', 0], ['y/a', 0])], [label(['x/a', 'y/a'])]).gains).toEqual([1]);
  });

  test('takes a place of its own where hit and copy have a label each, as if they were not folded', () => {
    const labels = [label('a'), label('b', 2)];
    const { gains, places } = judge([text(['a', 0], ['b', 0]), text(['c', 0])], labels);
    expect(gains).toEqual([2, 1, 0]);
    expect(places.map(({ uri }) => uri)).toEqual(['b', 'a', 'c']);
    expect(scoresOf([1, 2, 0], [1, 2]).recall_5).toBe(scoresOf(gains, [1, 2]).recall_5);
  });

  test('counts where it is shown first, though the document of the hit has its place already', () => {
    expect(judge([text(['a', 0]), text(['a', 1], ['b', 0])], [label('b')]).gains).toEqual([0, 1]);
  });

  test('finds lines by its own lines, not by those of the hit', () => {
    const found = [text(['a', 0], ['b', 4])];
    expect(judge(found, [label('b', 1, [45, 60])])).toEqual({
      gains: [1],
      places: [{ uri: 'b', lines: [41, 50] }],
    });
    expect(judge(found, [label('b', 1, [5, 6])]).gains).toEqual([0]);
  });

  test('finds lines of the same document further down', () => {
    expect(judge([text(['a', 0], ['a', 7])], [label('a', 1, [75, 75])]).gains).toEqual([1]);
  });
});

describe('for all answers and labels', () => {
  const chunk = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat(4));
  const answer = fc
    .uniqueArray(chunk, { selector: String, maxLength: 20 })
    .chain((own) =>
      fc.tuple(
        ...own.map((head) => fc.array(chunk, { maxLength: 3 }).map((copies) => text(head, ...copies))),
      ),
    );
  const labels = fc.uniqueArray(
    fc
      .tuple(
        fc.constantFrom('a', 'b', 'c'),
        fc.integer({ min: 1, max: 3 }),
        fc.option(fc.nat(4), { nil: undefined }),
      )
      .map(([uri, grade, at]) =>
        label(uri, grade, at === undefined ? undefined : [at * 10 + 2, at * 10 + 14]),
      ),
    { selector: ({ path, lines }) => `${path} ${lines}` },
  );

  test('copies that nobody judged change nothing', () => {
    fc.assert(
      fc.property(answer, labels, (found, judged) => {
        const alone = found.map(({ id, places }) => ({ id, places: places.slice(0, 1) }));
        const besides = alone.map(({ id, places }, at) => ({
          id,
          places: [...places, ...(found[at]?.places ?? []).slice(1).map((copy) => ({ ...copy, uri: 'z' }))],
        }));
        expect(judge(besides, judged)).toEqual(judge(alone, judged));
      }),
    );
  });

  test('no label counts twice, so that no score passes 1', () => {
    fc.assert(
      fc.property(answer, labels, (found, judged) => {
        const grades = judged.map(({ grade }) => grade);
        const { gains, places } = judge(found, judged);
        expect(places).toHaveLength(gains.length);
        for (const grade of [1, 2, 3]) {
          const count = (list: readonly number[]) => list.filter((other) => other === grade).length;
          expect(count(gains)).toBeLessThanOrEqual(count(grades));
        }
        const scores = scoresOf(gains, grades);
        for (const metric of metrics) expect(scores[metric]).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('a judged document or chunk that is shown anywhere is found', () => {
    fc.assert(
      fc.property(answer, labels, (found, judged) => {
        const shown = judged.filter(({ uris, lines }) =>
          found.some(({ places }) =>
            places.some(
              (own) =>
                uris.has(own.uri) &&
                (!lines || (own.lines && own.lines[0] <= lines[1] && lines[0] <= own.lines[1])),
            ),
          ),
        );
        expect(judge(found, judged).gains.filter((gain) => gain > 0)).toHaveLength(shown.length);
      }),
    );
  });
});
