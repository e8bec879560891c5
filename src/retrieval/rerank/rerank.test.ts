import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../test/virtual-clock.ts';
import type { ChunkScore, Reranker } from '../../contracts/reranker.ts';
import { QuarryError } from '../../core/errors.ts';
import { documentRecord } from '../../testing/documents.ts';
import { type OpenReranker, rerankWithin } from './rerank.ts';
import { candidate, candidates, names, rerankedCandidates } from './reranked.fixture.ts';

type Answer = (chunks: readonly string[], signal: AbortSignal) => AsyncIterable<readonly ChunkScore[]>;

/** A real reranker by the contract; what it answers is up to the test. */
function reranker(answer: Answer): () => Promise<Reranker> {
  const opened: Reranker = {
    facts: {},
    weight: 1,
    score: (_, chunks, { signal }) => answer(chunks, signal),
    close: async () => {},
  };
  return async () => opened;
}

/** Later letters are better. */
const backwards = reranker(async function* (chunks) {
  yield chunks.map((text, index) => ({ index, score: text.charCodeAt(0) }));
});
const never = new Promise<never>(() => {});
const bounds = () => ({ budgetMs: 100, candidates: 8, clock: createVirtualClock() });

describe('the order', () => {
  test('follows the scores of the chunks that were looked at, and leaves the others behind them', async () => {
    const { candidates: reranked } = await rerankedCandidates(backwards, 'q', candidates, {
      ...bounds(),
      candidates: 4,
    });
    expect(names(reranked)).toBe('dcbaefgh');
  });

  test('is complete when all that was to be looked at has a score', async () => {
    for (const max of [2, 8, 100]) {
      const bound = { ...bounds(), candidates: max };
      expect(await rerankedCandidates(backwards, 'q', candidates, bound)).toMatchObject({ isComplete: true });
    }
  });

  test('is not complete where the reranker left out some or all, though it had time', async () => {
    for (const max of [0, 3]) {
      const open = reranker(async function* (chunks) {
        yield chunks.slice(0, max).map((_, index) => ({ index, score: index }));
      });
      const outcome = await rerankedCandidates(open, 'q', candidates, bounds());
      expect(outcome).toMatchObject({ warnings: [], isComplete: false });
    }
  });

  test('leaves rank and score of the reranker in the trace of what it scored', async () => {
    const { candidates: reranked } = await rerankedCandidates(backwards, 'q', candidates, {
      ...bounds(),
      candidates: 2,
    });
    expect(reranked.slice(0, 3).map(({ trace }) => trace)).toEqual([
      [{ stage: 'rerank', rank: 1, score: 98 }],
      [{ stage: 'rerank', rank: 2, score: 97 }],
      [],
    ]);
  });

  test('is not that of further chunks, which a reranker sees that keeps what it needs of them', async () => {
    const elsewhere = {
      ...candidate('z', 0),
      match: { ...candidate('z', 0).match, document: documentRecord('b.md') },
    };
    const list = [...candidates, elsewhere];
    const scoredBy = async (open: OpenReranker) =>
      (await rerankWithin(open, 'q', list, { ...bounds(), candidates: 3 })).scored;
    const ids = (scores: ReadonlyMap<string, number> = new Map()) =>
      [...scores.keys()].map((key) => key.split(' ')[1]).join('');
    const scored = await scoredBy(backwards);
    expect([ids(scored?.scores), scored?.further]).toEqual(['abc', undefined]);
    const looking = await scoredBy(async () => ({ ...(await backwards()), looksFurther: true }));
    expect([ids(looking?.scores), ids(looking?.further)]).toEqual(['abc', 'abcdefgh']);
  });

  test('is that of the search where the reranker has no say', async () => {
    const silent = async () => ({ ...(await backwards()), weight: 0 });
    const { candidates: reranked } = await rerankedCandidates(silent, 'q', candidates, bounds());
    expect(names(reranked)).toBe('abcdefgh');
  });

  test('is that of the search without a reranker', async () => {
    const open = async () => undefined;
    const expected = { candidates, warnings: [], isComplete: true };
    expect(await rerankedCandidates(open, 'q', candidates, bounds())).toEqual(expected);
  });
});

describe('the budget', () => {
  test('ends the wait for a reranker that hangs, with the scores that came in time', async () => {
    let seen: AbortSignal | undefined;
    const clock = createVirtualClock();
    const open = reranker(async function* (chunks, signal) {
      seen = signal;
      yield chunks.slice(0, 3).map((text, index) => ({ index, score: text.charCodeAt(0) }));
      await never;
    });
    const {
      candidates: reranked,
      warnings,
      isComplete,
    } = await rerankedCandidates(open, 'q', candidates, { ...bounds(), clock });
    expect(clock.now()).toBe(100);
    expect(names(reranked)).toBe('cbadefgh');
    expect(isComplete).toBe(false);
    expect(warnings).toEqual([]);
    expect(seen?.aborted).toBe(true);
  });

  test('holds for opening and loading too', async () => {
    const clock = createVirtualClock();
    const { candidates: same, warnings } = await rerankedCandidates(() => never, 'q', candidates, {
      ...bounds(),
      clock,
    });
    expect(clock.now()).toBe(100);
    expect(same).toBe(candidates);
    expect(warnings).toMatchObject([{ code: 'model-failed' }]);
  });

  test('leaves out scores that come too late, and asks for no more', async () => {
    const clock = createVirtualClock();
    let wentOn = false;
    const open = reranker(async function* (chunks) {
      yield [{ index: 0, score: 1 }];
      await clock.wait(150);
      yield chunks.map((_, index) => ({ index, score: index })).slice(1);
      wentOn = true;
    });
    const { candidates: same } = await rerankedCandidates(open, 'q', candidates, { ...bounds(), clock });
    const before = names(same);
    await clock.wait(500);
    expect(before).toBe('abcdefgh');
    expect(names(same)).toBe('abcdefgh');
    expect(wentOn).toBe(false);
  });

  test('gives the reranker what is left of it after opening', async () => {
    const clock = createVirtualClock();
    const left: number[] = [];
    const open = async (): Promise<Reranker> => {
      await clock.wait(30);
      return {
        facts: {},
        weight: 1,
        async *score(_question, _passages, { budgetMs }) {
          left.push(budgetMs);
          yield [{ index: 0, score: 1 }];
        },
        close: async () => {},
      };
    };
    await rerankedCandidates(open, 'q', candidates, { ...bounds(), clock });
    expect(left).toEqual([70]);
  });

  test('of nothing asks nobody', async () => {
    const open = () => expect.unreachable('opened');
    expect(await rerankedCandidates(open, 'q', candidates, { ...bounds(), budgetMs: 0 })).toEqual({
      candidates,
      warnings: [],
      isComplete: true,
    });
  });

  test('does not outlive the caller, who can stop at any time', async () => {
    const controller = new AbortController();
    const open = reranker(async function* () {
      controller.abort();
      await never;
      yield [];
    });
    const call = rerankedCandidates(open, 'q', candidates, { ...bounds(), signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: 'interrupted' });
  });
});

describe('a reranker that fails', () => {
  const failure = new QuarryError('provider-unreachable', 'It is away.', 'Wait.');

  test.each<[string, Answer]>([
    [
      'at once',
      async function* () {
        yield [];
        throw failure;
      },
    ],
    [
      'midway',
      async function* () {
        yield [{ index: 3, score: 9 }];
        throw failure;
      },
    ],
    [
      'with a place that does not exist',
      async function* () {
        yield [{ index: 8, score: 9 }];
      },
    ],
    [
      'with a score that is no number',
      async function* () {
        yield [{ index: 3, score: Number.NaN }];
      },
    ],
    [
      'with two scores for one chunk',
      async function* () {
        yield [{ index: 3, score: 1 }];
        yield [{ index: 3, score: 2 }];
      },
    ],
  ])('%s leaves the order as it was, with one warning', async (_, answer) => {
    const { candidates: same, warnings } = await rerankedCandidates(
      reranker(answer),
      'q',
      candidates,
      bounds(),
    );
    expect(same).toBe(candidates);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toBeInstanceOf(QuarryError);
  });

  test('is not asked again for a minute, nor warned of, and then is', async () => {
    const clock = createVirtualClock();
    let calls = 0;
    const open = reranker(async function* (chunks) {
      calls += 1;
      if (calls === 1) throw failure;
      yield chunks.map((_, index) => ({ index, score: index }));
    });
    const ask = () => rerankedCandidates(open, 'q', candidates, { ...bounds(), clock });
    expect((await ask()).warnings).toEqual([failure]);
    await clock.wait(59_000);
    expect(await ask()).toEqual({ candidates, warnings: [], isComplete: false });
    expect(calls).toBe(1);
    await clock.wait(1_000);
    expect(names((await ask()).candidates)).toBe('hgfedcba');
  });

  test('rests as long as it asks for, within ten minutes', async () => {
    const clock = createVirtualClock();
    let calls = 0;
    const open = reranker(async function* () {
      calls += 1;
      yield [];
      throw new QuarryError('provider-limited', 'Too much.', 'Wait.', { retryAfter: 3_600_000 });
    });
    const ask = () => rerankedCandidates(open, 'q', candidates, { ...bounds(), clock });
    await ask();
    await clock.wait(599_000);
    await ask();
    expect(calls).toBe(1);
    await clock.wait(1_000);
    await ask();
    expect(calls).toBe(2);
  });

  test('that nobody has named says nothing of its first call without a score, while its model loads', async () => {
    const silent = () =>
      reranker(async function* () {
        await never;
        yield [];
      });
    const open = silent();
    const warningsOf = async (one: OpenReranker, isByItself: boolean) =>
      (await rerankedCandidates(one, 'q', candidates, { ...bounds(), isByItself })).warnings.length;
    expect(await warningsOf(open, true)).toBe(0);
    expect(await warningsOf(open, true)).toBe(1);
    expect(await warningsOf(silent(), false)).toBe(1);
  });

  test('never to answer in time is asked three times before it rests', async () => {
    const clock = createVirtualClock();
    let calls = 0;
    const open = reranker(async function* () {
      calls += 1;
      await never;
      yield [];
    });
    for (let call = 0; call < 6; call += 1) {
      await rerankedCandidates(open, 'q', candidates, { ...bounds(), clock });
    }
    expect(calls).toBe(3);
  });

  test('to answer in time now and then is asked each time', async () => {
    const clock = createVirtualClock();
    let calls = 0;
    const open = reranker(async function* () {
      calls += 1;
      if (calls % 3 !== 0) await never;
      yield [{ index: 0, score: 1 }];
    });
    for (let call = 0; call < 9; call += 1) {
      await rerankedCandidates(open, 'q', candidates, { ...bounds(), clock });
    }
    expect(calls).toBe(9);
  });

  test('does so without a rest for another one', async () => {
    const clock = createVirtualClock();
    const broken = reranker(async function* () {
      yield [];
      throw failure;
    });
    await rerankedCandidates(broken, 'q', candidates, { ...bounds(), clock });
    const { candidates: reranked } = await rerankedCandidates(backwards, 'q', candidates, {
      ...bounds(),
      clock,
    });
    expect(names(reranked)).toBe('hgfedcba');
  });
});
