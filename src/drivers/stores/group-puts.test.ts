import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { QuarryError } from '../../core/errors.ts';
import { chunkEntries, documentRecord, manifestEntry } from '../../testing/documents.ts';
import { groupPuts } from './group-puts.ts';
import type { Replacement } from './replacement.ts';

/** A document to put; its title tells states of one document apart. */
function document(uri: string, title = uri, chunks = 1): Replacement {
  const record = documentRecord(uri, { title });
  const texts = Array.from({ length: chunks }, (_, number) => `text ${number}`);
  return { document: record, chunks: chunkEntries(record, texts), manifest: undefined };
}

/** Puts all of these at once into a store whose commits take a while; what was committed together, by title. */
async function putAtOnce(
  puts: readonly Replacement[],
  refuse: (titles: readonly string[]) => Error | undefined = () => undefined,
) {
  const commits: string[][] = [];
  const put = groupPuts(4, async (group) => {
    await nextTurn();
    const titles = group.map(({ document: { title } }) => title);
    const error = refuse(titles);
    commits.push(error ? [...titles, 'refused'] : titles);
    if (error) throw error;
    return group[0]?.replaces?.uri !== 'late.md';
  });
  const outcomes = await Promise.allSettled(puts.map((each) => put(each)));
  return {
    commits,
    outcomes: outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason)),
  };
}

const broken = new QuarryError('vector-invalid', 'A vector does not fit.', 'Check it.');

describe('documents that are put while a commit is under way', () => {
  test('go together into the next one, in their order and not too many', async () => {
    const { commits, outcomes } = await putAtOnce('abcdefg'.split('').map((name) => document(name)));
    expect(commits).toEqual([['a'], ['b', 'c', 'd', 'e'], ['f', 'g']]);
    expect(outcomes).toEqual(new Array(7).fill(true));
  });

  test('are committed apart where they are large', async () => {
    const { commits } = await putAtOnce([
      document('a'),
      document('b', 'b', 1500),
      document('c', 'c', 1500),
      document('d', 'd', 5000),
      document('e'),
    ]);
    expect(commits).toEqual([['a'], ['b'], ['c'], ['d'], ['e']]);
  });

  test('are committed in their order where they are states of one document', async () => {
    const { commits } = await putAtOnce([
      document('a'),
      document('b', 'b1'),
      document('c'),
      document('b', 'b2'),
      document('d'),
      document('b', 'b3'),
    ]);
    expect(commits).toEqual([['a'], ['b1', 'c'], ['b2', 'd'], ['b3']]);
  });

  test('are committed alone where they are to replace a certain entry, and told whether they did', async () => {
    const { commits, outcomes } = await putAtOnce([
      document('a'),
      document('b'),
      { ...document('c'), replaces: manifestEntry('late.md') },
      { ...document('d'), replaces: manifestEntry('d') },
      document('e'),
      document('f'),
    ]);
    expect(commits).toEqual([['a'], ['b'], ['c'], ['d'], ['e', 'f']]);
    expect(outcomes).toEqual([true, true, false, true, true, true]);
  });

  test('are tried in halves where their commit fails, so that only the one to blame does', async () => {
    const { commits, outcomes } = await putAtOnce(
      'abcde'.split('').map((name) => document(name)),
      (titles) => (titles.includes('c') ? broken : undefined),
    );
    expect(commits).toEqual([
      ['a'],
      ['b', 'c', 'd', 'e', 'refused'],
      ['b', 'c', 'refused'],
      ['b'],
      ['c', 'refused'],
      ['d', 'e'],
    ]);
    expect(outcomes).toEqual([true, true, broken, true, true]);
  });

  test('fail together where the store does not answer: none of them would be answered', async () => {
    const away = new QuarryError('provider-unreachable', 'It does not answer.', 'Wait.');
    const { commits, outcomes } = await putAtOnce([document('a'), document('b'), document('c')], () => away);
    expect(commits).toEqual([
      ['a', 'refused'],
      ['b', 'c', 'refused'],
    ]);
    expect(outcomes).toEqual([away, away, away]);
  });
});
