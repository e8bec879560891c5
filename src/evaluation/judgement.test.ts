import { describe, expect, test } from 'vitest';
import { chunkEntries, documentRecord } from '../testing/documents.ts';
import { judge, type ResolvedLabel } from './judgement.ts';
import { type KnownDocument, labelWarnings, resolveLabels } from './resolve-labels.ts';

/** Passages of ten lines each, by path and number, as a search returns them. */
const hits = (...found: [uri: string, passage: number][]) =>
  found.map(([uri, passage]) => {
    const document = documentRecord(uri);
    const [entry] = chunkEntries(document, [`${uri} ${passage}`], {
      id: `${uri}#${passage}`,
      span: { start: 0, end: 1, firstLine: passage * 10 + 1, lastLine: passage * 10 + 10 },
    });
    if (!entry) throw new TypeError('no passage');
    return { document, chunk: entry.chunk };
  });
const label = (uris: string | string[], grade = 1, lines?: [number, number]): ResolvedLabel => ({
  uris: new Set([uris].flat()),
  grade,
  ...(lines && { lines }),
});

describe('an answer', () => {
  test('is a ranking of documents, each at its first passage', () => {
    const { gains, places } = judge(hits(['a', 0], ['a', 1], ['b', 0], ['a', 2], ['c', 0]), [
      label('b'),
      label('c', 2),
    ]);
    expect(gains).toEqual([0, 1, 2]);
    expect(places.map(({ uri }) => uri)).toEqual(['a', 'b', 'c']);
  });

  test('is a ranking of passages where a label names lines', () => {
    const found = hits(['a', 0], ['a', 1], ['b', 0], ['a', 2]);
    const { gains, places } = judge(found, [label('a', 1, [15, 18])]);
    expect(gains).toEqual([0, 1, 0, 0]);
    expect(places[1]).toEqual({ uri: 'a', lines: [11, 20] });
  });

  test('finds each label once: further passages of the same lines take no place', () => {
    expect(judge(hits(['a', 0], ['a', 1], ['b', 0]), [label('a', 1, [8, 13])]).gains).toEqual([1, 0]);
    expect(judge(hits(['x/a', 0], ['y/a', 0], ['b', 0]), [label(['x/a', 'y/a'])]).gains).toEqual([1, 0]);
  });

  test('gives a passage that finds two labels a place for each', () => {
    const labels = [label('a', 1, [2, 3]), label('a', 2, [5, 6])];
    expect(judge(hits(['a', 0], ['b', 0]), labels).gains).toEqual([2, 1, 0]);
  });

  test('is empty where nothing was found', () => {
    expect(judge([], [label('a')])).toEqual({ gains: [], places: [] });
  });
});

describe('labels', () => {
  const known = new Map<string, KnownDocument>(
    ['src/a.ts', 'lib/a.ts', 'a.ts', 'docs/b.md'].map((uri) => [uri, { uri, status: 'indexed' as const }]),
  );
  const isMeant = (path: string, uri: string) => uri === path || uri.endsWith(`/${path}`);
  const resolved = (...paths: string[]) =>
    resolveLabels(
      { id: 'q', text: '?', labels: paths.map((path) => ({ path, grade: 1 })) },
      { isMeant },
      new Map([...known, ['big.bin', { uri: 'big.bin', status: 'skipped' as const }]]),
    );

  test('mean the document of that very path, else those that end with it', () => {
    expect([...(resolved('a.ts').labels[0]?.uris ?? [])]).toEqual(['a.ts']);
    expect([...(resolved('b.md').labels[0]?.uris ?? [])]).toEqual(['docs/b.md']);
    expect(resolved('a.ts', 'b.md').problems).toEqual([]);
  });

  test('that are nowhere are left out and told; those of files that are not indexed count as not found', () => {
    const { labels, problems } = resolved('gone.ts', 'big.bin', 'b.md');
    expect(labels.map(({ uris }) => [...uris])).toEqual([['big.bin'], ['docs/b.md']]);
    expect(labelWarnings(problems)).toEqual([
      '"gone.ts" is no document here; the label is left out (question q).',
      '"big.bin" is not in the index, so it counts as not found (see: quarry status --skipped) (question q).',
    ]);
  });

  test('that stand twice are one', () => {
    expect(resolved('b.md', 'docs/b.md').labels).toHaveLength(1);
  });

  test('that could mean several documents are told, with the questions they belong to', () => {
    known.delete('a.ts');
    const { problems } = resolved('a.ts');
    const many = ['q1', 'q2', 'q3', 'q4'].map(
      (question) => ({ ...problems[0], question }) as (typeof problems)[0],
    );
    expect(labelWarnings(many)).toEqual([
      '"a.ts" is the end of several paths; any of them counts (questions q1, q2, q3 and 1 more).',
    ]);
  });
});
