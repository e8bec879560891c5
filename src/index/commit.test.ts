import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Changes, DocumentChange, Store } from '../contracts/store.ts';
import { QuarryError } from '../core/errors.ts';
import { chunkEntries, documentRecord, manifestEntry } from '../testing/documents.ts';
import { commit } from './commit.ts';

/** A document to put; its title tells states of one document apart. */
function document(uri: string, title = uri, chunks = 1): DocumentChange {
  const record = documentRecord(uri, { title });
  const texts = Array.from({ length: chunks }, (_, number) => `text ${number}`);
  return { document: record, chunks: chunkEntries(record, texts) };
}

const titlesOf = ({ documents = [] }: Changes) => documents.map((change) => change.document.title);

/** Asks for all of these at once, of a store whose commits take a while; what was committed together, by title. */
async function commitAtOnce(
  asked: readonly (DocumentChange | Changes)[],
  refuse: (titles: readonly string[]) => Error | undefined = () => undefined,
) {
  const commits: string[][] = [];
  const writing: Pick<Store, 'commit' | 'commitSize'> = {
    commitSize: { documents: 4, chunks: 2000 },
    async commit(changes) {
      await nextTurn();
      const titles = titlesOf(changes);
      const error = refuse(titles);
      const said = changes.removed ? [`without ${changes.removed.join(', ')}`] : titles;
      commits.push(error ? [...said, 'refused'] : said);
      if (error) throw error;
      const stored = (changes.documents ?? []).map(({ replaces }) => replaces?.uri !== 'late.md');
      return { removed: changes.removed?.length ?? 0, stored };
    },
  };
  // Nothing else is asked of it.
  const store = writing as Store;
  const outcomes = await Promise.allSettled(
    asked.map((each) => commit(store, 'document' in each ? { documents: [each] } : each)),
  );
  return {
    commits,
    outcomes: outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason)),
  };
}

const broken = new QuarryError('vector-invalid', 'A vector does not fit.', 'Check it.');
const done = { removed: 0, stored: [true] };

describe('changes that are asked for at once', () => {
  test('are committed together where they are documents, in their order and not too many', async () => {
    const { commits, outcomes } = await commitAtOnce('abcdefg'.split('').map((name) => document(name)));
    expect(commits).toEqual([
      ['a', 'b', 'c', 'd'],
      ['e', 'f', 'g'],
    ]);
    expect(outcomes).toEqual(new Array(7).fill(done));
  });

  test('are committed apart where they are large', async () => {
    const { commits } = await commitAtOnce([
      document('a'),
      document('b', 'b', 1500),
      document('c', 'c', 1500),
      document('d', 'd', 5000),
      document('e'),
    ]);
    expect(commits).toEqual([['a', 'b'], ['c'], ['d'], ['e']]);
  });

  test('are committed in their order where they are states of one document', async () => {
    const { commits } = await commitAtOnce([
      document('a'),
      document('b', 'b1'),
      document('c'),
      document('b', 'b2'),
      document('d'),
      document('b', 'b3'),
    ]);
    expect(commits).toEqual([['a', 'b1', 'c'], ['b2', 'd'], ['b3']]);
  });

  test('are committed in their order where they are of several kinds, and each gets its result', async () => {
    const { commits, outcomes } = await commitAtOnce([
      document('a'),
      { ...document('b'), replaces: manifestEntry('late.md') },
      { removed: ['a', 'x'] },
      { documents: [document('c'), document('d')] },
      { ...document('e'), replaces: manifestEntry('e') },
    ]);
    expect(commits).toEqual([['a', 'b'], ['without a, x'], ['c', 'd', 'e']]);
    expect(outcomes).toEqual([
      done,
      { removed: 0, stored: [false] },
      { removed: 2, stored: [] },
      { removed: 0, stored: [true, true] },
      done,
    ]);
  });

  test('are tried in halves where their commit fails, so that only the one to blame does', async () => {
    const { commits, outcomes } = await commitAtOnce(
      'abcd'.split('').map((name) => document(name)),
      (titles) => (titles.includes('c') ? broken : undefined),
    );
    expect(commits).toEqual([
      ['a', 'b', 'c', 'd', 'refused'],
      ['a', 'b'],
      ['c', 'd', 'refused'],
      ['c', 'refused'],
      ['d'],
    ]);
    expect(outcomes).toEqual([done, done, broken, done]);
  });

  test('fail together where the store does not answer: none of them would be answered', async () => {
    const away = new QuarryError('provider-unreachable', 'It does not answer.', 'Wait.');
    const { commits, outcomes } = await commitAtOnce(
      ['a', 'b'].map((name) => document(name)),
      () => away,
    );
    expect(commits).toEqual([['a', 'b', 'refused']]);
    expect(outcomes).toEqual([away, away]);
  });

  test('are refused before they reach the store where chunks do not belong to their document', async () => {
    const foreign = { ...document('a'), chunks: document('b').chunks };
    const { commits, outcomes } = await commitAtOnce([foreign, document('c')]);
    expect(commits).toEqual([['c']]);
    expect(outcomes).toMatchObject([{ code: 'usage-invalid' }, done]);
  });
});
