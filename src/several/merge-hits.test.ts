import { expect, test } from 'vitest';
import type { Hit } from '../core/hit.ts';
import { chunkEntries, documentRecord } from '../testing/documents.ts';
import { mergeHits } from './merge-hits.ts';

function hit(uri: string, relevance: number, text = `only ${uri}`): Hit {
  const document = documentRecord(uri);
  const [entry] = chunkEntries(document, [text]);
  if (!entry) throw new Error('no chunk');
  return { chunk: entry.chunk, document, relevance, score: relevance, trace: [] };
}

const order = (lists: readonly (readonly Hit[])[], max = 10) =>
  mergeHits(lists, max).map(({ document }) => document.uri);

test('hits of several projects come by relevance, as many as are wanted', () => {
  const a = [hit('a:1.md', 0.9), hit('a:2.md', 0.2)];
  const b = [hit('b:1.md', 0.7), hit('b:2.md', 0.1)];
  expect(order([a, b])).toEqual(['a:1.md', 'b:1.md', 'a:2.md', 'b:2.md']);
  expect(order([a, b], 2)).toEqual(['a:1.md', 'b:1.md']);
});

test('each project keeps its order: what stands above a better hit counts with it, as their mean', () => {
  const a = [hit('a:1.md', 0.3), hit('a:2.md', 0.9)];
  expect(order([a, [hit('b:1.md', 0.8), hit('b:2.md', 0.5)]])).toEqual([
    'b:1.md',
    'a:1.md',
    'a:2.md',
    'b:2.md',
  ]);
});

test('of equally relevant hits the better ranked come first, project by project', () => {
  const list = (name: string) => [hit(`${name}:1.md`, 1), hit(`${name}:2.md`, 1)];
  expect(order([list('a'), list('b')])).toEqual(['a:1.md', 'b:1.md', 'a:2.md', 'b:2.md']);
});

test('a text that several projects have is shown once, with its other places', () => {
  const [first, ...others] = mergeHits(
    [[hit('a:x.md', 0.8, 'The same text.')], [hit('b:x.md', 0.9, 'The same text.')]],
    10,
  );
  expect(others).toEqual([]);
  expect(first?.document.uri).toBe('b:x.md');
  expect(first?.alsoAt?.map(({ uri }) => uri)).toEqual(['a:x.md']);
});
