import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { draws } from '../core/draws.ts';
import type { Filter } from '../core/filter.ts';
import { openProject } from '../project/open-project.ts';
import { nonIncreasing } from './calibration/relevance-scale.ts';
import { search } from './search.ts';
import type { RetrievalParts, SearchRequest } from './search-request.ts';

const words = 'lock index vector chunk query store cache model token path file folder search rank'.split(' ');
const folders = ['src', 'docs', 'logs', 'notes'] as const;
const endings = { src: 'ts', docs: 'md', logs: 'log', notes: 'md' } as const;

/** Far more chunks than the searchers contribute, some of them copies. */
function manyFiles(): Record<string, string> {
  const draw = draws(7);
  const word = () => words[Math.floor(draw() * draw() * words.length)] ?? '';
  const sentence = () => `The ${word()} of the ${word()} takes a ${word()}.`;
  const files: Record<string, string> = {};
  for (let number = 0; number < 160; number += 1) {
    const folder = folders[number % folders.length] ?? 'docs';
    const text = Array.from({ length: 1 + Math.floor(draw() * 4) }, sentence).join(' ');
    files[`${folder}/file-${number}.${endings[folder]}`] =
      folder === 'src' ? `export function ${word()}${number}() {\n  // ${text}\n}\n` : `${text}\n`;
  }
  return { ...files, 'docs/many.md': words.map((one) => `# ${one}\n\nThe ${one}. `.repeat(9)).join('\n\n') };
}

let parts: RetrievalParts;
beforeAll(async () => {
  const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1, 'cache.max_bytes': 0 };
  const project = await openProject(await temporaryFolder(manyFiles()), { settings });
  for await (const event of project.index()) if (event.type === 'document-failed') throw event;
  await project.add({ name: 'talk.md', text: 'The lock of the store takes a vector.' });
  const store = await project.store();
  parts = { store, embedder: () => project.embedder(), now: () => 1_800_000_000_000 };
  return () => project.close();
});

const queries = [
  'where is the lock of the store?',
  'vector',
  'how does the cache rank a token path',
  'lock7',
];
const base = { topK: 1000, candidates: 60, perDocument: 3, threshold: 0 } as const;

async function relevances(request: SearchRequest): Promise<Map<string, number>> {
  const { hits } = await search(parts, request);
  return new Map(hits.map(({ chunk, relevance }) => [`${chunk.documentId} ${chunk.id}`, relevance]));
}

const filters: fc.Arbitrary<Filter | undefined> = fc.option(
  fc.record(
    {
      types: fc.subarray(['code', 'markdown', 'log', 'note', 'text', 'prose'], { minLength: 1 }),
      paths: fc.subarray(['src/**', 'docs/**', 'logs/**', '!docs/many.md', '*1*'], { minLength: 1 }),
      origins: fc.subarray(['file', 'notes', 'virtual'] as const, { minLength: 1 }),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);

describe.each([['hybrid'], ['dense'], ['text']] as const)('relevance by the route %s', (route) => {
  test('of a chunk for a query is the same whatever the filter and the number of hits', async () => {
    const whole = new Map<string, Map<string, number>>();
    for (const query of queries) whole.set(query, await relevances({ ...base, query, route }));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...queries),
        filters,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 10 }),
        async (query, filter, topK, perDocument) => {
          const request = { ...base, query, route, topK, perDocument, ...(filter && { filter }) };
          for (const [chunk, relevance] of await relevances(request)) {
            const known = whole.get(query)?.get(chunk);
            // A copy is shown where the filter leaves its original out.
            if (known !== undefined) expect(relevance).toBe(known);
          }
        },
      ),
      { numRuns: 60, seed: 11 },
    );
  });

  test('never rises down the list, and neither does the score', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...queries),
        filters,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 10 }),
        async (query, filter, topK, perDocument) => {
          const request = { ...base, query, route, topK, perDocument, ...(filter && { filter }) };
          const { hits } = await search(parts, request);
          const falls = (values: number[]) => [...values].sort((a, b) => b - a);
          const shown = hits.map(({ relevance }) => relevance);
          expect(shown).toEqual(falls(shown));
          const scores = hits.map(({ score }) => score);
          expect(scores).toEqual(falls(scores));
        },
      ),
      { numRuns: 60, seed: 12 },
    );
  });
});

test('added content has the relevance that it has without a filter', async () => {
  const [query = ''] = queries;
  const own = await relevances({ ...base, query, filter: { origins: ['virtual'] } });
  const whole = await relevances({ ...base, query });
  expect(own.size).toBe(1);
  for (const [chunk, relevance] of own) expect(relevance).toBe(whole.get(chunk));
});

const plain = (levels: readonly number[]) => levels.map((level) => ({ level, atLeast: 0 }));

test('values that never rise have the sum of those they come from, and leave a falling list alone', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (values) => {
      const levels = nonIncreasing(plain(values));
      const sum = (of: readonly number[]) => of.reduce((total, value) => total + value, 0);
      expect(sum(levels)).toBeCloseTo(sum(values), 9);
      levels.forEach((level, place) => {
        expect(level).toBeLessThanOrEqual(levels[place - 1] ?? 1);
      });
      expect(nonIncreasing(plain(levels))).toEqual(levels);
    }),
  );
});

test('what is plainly relevant keeps that in any order', () => {
  const half = fc.record({
    level: fc.double({ min: 0, max: 1, noNaN: true }),
    atLeast: fc.constantFrom(0, 0.5),
  });
  fc.assert(
    fc.property(fc.array(half), (all) => {
      const levels = nonIncreasing(all);
      levels.forEach((level, place) => {
        expect(level).toBeLessThanOrEqual(levels[place - 1] ?? 1);
        expect(level).toBeGreaterThanOrEqual(all[place]?.atLeast ?? 0);
      });
    }),
  );
});
