import { expect, test } from 'vitest';
import type { Project } from '../../calls/project.ts';
import { namesFor } from './names-near.ts';

/** A graph in which each file has so many names. */
function graphOf(counts: Readonly<Record<string, number>>): Pick<Project['graph'], 'names'> {
  return {
    names: async (paths) =>
      paths.flatMap((uri) => {
        const own = Array.from({ length: counts[uri] ?? 0 }, (_, at) => ({
          name: `steerFerryByRudder${at}`,
          lines: [at * 10 + 1, at * 10 + 9] as const,
        }));
        return own.length > 0 ? [{ uri, names: own }] : [];
      }),
  };
}

const answer = (verdict: 'weak' | 'open' | 'clear', ...paths: readonly string[]) => ({
  hits: paths.map((path) => ({ path, type: path.endsWith('.md') ? 'doc' : 'code' })),
  digest: { verdict },
});

test('names are those of files of code that questions without a strong answer found, the most found ones first', async () => {
  const answers = [
    answer('clear', 'strong.ts'),
    answer('weak', 'once.ts', 'twice.ts', 'notes.md'),
    answer('open', 'twice.ts', 'empty.ts'),
  ];
  const found = await namesFor(graphOf({ 'strong.ts': 2, 'once.ts': 2, 'twice.ts': 2 }), answers);
  expect(found.map(({ path }) => path)).toEqual(['twice.ts', 'once.ts']);
  expect(found[0]).toEqual({
    path: 'twice.ts',
    names: ['steerFerryByRudder0 1-9', 'steerFerryByRudder1 11-19'],
    is_cut: false,
  });
  expect(await namesFor(graphOf({ 'strong.ts': 2 }), [answer('clear', 'strong.ts')])).toEqual([]);
});

test('they stay within nine thousand characters, and a file with very many leaves room for the others', async () => {
  const paths = Array.from({ length: 8 }, (_, at) => `file${at}.ts`);
  const graph = graphOf(Object.fromEntries(paths.map((path, at) => [path, at === 0 ? 5000 : 60])));
  const found = await namesFor(graph, [answer('weak', ...paths)]);
  expect(found[0]).toMatchObject({ path: 'file0.ts', is_cut: true });
  expect(found.length).toBeGreaterThan(3);
  const length = found.reduce((sum, { path, names }) => sum + path.length + names.join(', ').length, 0);
  expect(length).toBeLessThanOrEqual(9_000);
});

test('an answer does without them where the graph cannot be read', async () => {
  const busy = { names: () => Promise.reject(new Error('busy')) };
  expect(await namesFor(busy, [answer('weak', 'a.ts')])).toEqual([]);
});
