import { beforeAll, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import type { StoreMatch } from '../../contracts/store.ts';
import { embeddedText } from '../../core/chunk.ts';
import { queryTerms } from '../../core/text/terms.ts';
import { openProject } from '../../project/open-project.ts';
import { compareCandidates, type OpenTextVectors, type TextVectors } from './embed-candidates.ts';
import type { DenseMatches } from './search-dense.ts';

const files = {
  'docs/passwords.md': '# Passwords\n\nCredentials are hashed with a salt before they are saved.',
  'docs/salt.md': '# Salt\n\nSalt is harvested from the sea, and kept dry.',
  'docs/weather.md': '# Weather\n\nThe forecast for tomorrow is sunny with a light breeze.',
};

let project: Project;
let text: readonly StoreMatch[];
beforeAll(async () => {
  const settings = { 'embedder.driver': 'hashing', 'cache.max_bytes': 10_000_000 };
  const place = await temporaryFolder(files);
  project = await openProject(place, { settings });
  for await (const event of project.index({ giveWay: AbortSignal.abort() }))
    if (event.type === 'document-failed') throw event;
  text = await (await project.store()).searchText(queryTerms('salt'), { limit: 10 });
  return () => project.close();
});

const query = Float32Array.of(1, 0);
const nothing: DenseMatches = { space: 'space', matches: [], covered: 0, vector: query };

async function compared(open: OpenTextVectors | undefined, dense: DenseMatches): Promise<DenseMatches> {
  const candidates = compareCandidates(await project.store(), open, async () => text);
  candidates.begin(nothing.space);
  return candidates.complete(dense);
}

function vectorsBy(make: TextVectors['vectorOf'], space = 'space') {
  return async () => ({ space, concurrency: 2, vectorOf: make });
}

describe('text hits without a vector', () => {
  test('are compared with the query, the nearest first', async () => {
    const make = vectorsBy(async (chunk) =>
      chunk.includes('hashed') ? Float32Array.of(3, 4) : Float32Array.of(0, 2),
    );
    const { matches, covered } = await compared(make, nothing);
    expect(matches.map(({ document, score }) => [document.uri, Math.round(score * 100)])).toEqual([
      ['docs/passwords.md', 60],
      ['docs/salt.md', 0],
    ]);
    expect(covered).toBe(1);
  });

  test('that are not ready in time, refused or failing are left out, and the others count', async () => {
    const make = vectorsBy((chunk) =>
      chunk.includes('hashed') ? Promise.resolve(query) : new Promise<never>(() => {}),
    );
    const late = await compared(make, nothing);
    expect(late.matches.map(({ document }) => document.uri)).toEqual(['docs/passwords.md']);
    expect(late.covered).toBe(0.5);
    for (const useless of [async () => undefined, () => Promise.reject(new TypeError('No model.'))])
      expect(await compared(vectorsBy(useless), nothing)).toEqual(nothing);
  });

  test('are embedded while the query waits for its own vector, however long that takes', async () => {
    const made: string[] = [];
    const make = vectorsBy(async (chunk) => {
      made.push(chunk);
      return query;
    });
    const candidates = compareCandidates(await project.store(), make, async () => text);
    candidates.begin(nothing.space);
    await vi.waitFor(() => expect(made).toHaveLength(2));
    const { matches, covered } = await candidates.complete(nothing);
    expect([matches.length, covered]).toEqual([2, 1]);
  });

  test('are made no longer where the query gets no vector', async () => {
    const signals: AbortSignal[] = [];
    const make = vectorsBy((_, signal) => {
      signals.push(signal);
      return new Promise<never>(() => {});
    });
    const candidates = compareCandidates(await project.store(), make, async () => text);
    candidates.begin(nothing.space);
    await vi.waitFor(() => expect(signals).toHaveLength(2));
    await expect(candidates.complete(Promise.reject(new TypeError('No store.')))).rejects.toThrow(
      'No store.',
    );
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  test('are left alone where nothing is missing, nothing was asked, or another model would make them', async () => {
    const make = vectorsBy(async () => query);
    const complete = { ...nothing, covered: 1 };
    const unasking = compareCandidates(await project.store(), make, () => {
      throw new TypeError('Nothing is missing.');
    });
    expect(await unasking.complete(complete)).toBe(complete);
    const { vector: _, ...unasked } = nothing;
    expect(await compared(make, unasked)).toBe(unasked);
    expect(await compared(undefined, nothing)).toBe(nothing);
    const other = vectorsBy(async () => query, 'other');
    expect(await compared(other, nothing)).toBe(nothing);
  });
});

test('a search compares them before the index has any vector, and what is made is kept', async () => {
  // A search gives it a second and a half at most: on a busy machine another one may be needed.
  const { hits, pending } = await vi.waitFor(
    async () => {
      const found = await project.search('salt', { update: false });
      expect(found.hits.map(({ trace }) => trace.some(({ stage }) => stage === 'dense'))).toEqual([
        true,
        true,
      ]);
      return found;
    },
    { timeout: 30_000 },
  );
  expect(pending).toBe(3);
  const cache = await project.vectorCache();
  const { fingerprint } = await project.embedder();
  const kept = await cache?.get(
    fingerprint,
    hits.map(({ chunk }) => embeddedText(chunk)),
  );
  expect(kept).toEqual([expect.any(Float32Array), expect.any(Float32Array)]);
});
