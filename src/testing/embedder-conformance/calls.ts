import assert from 'node:assert/strict';
import type { Embedder } from '../../contracts/embedder.ts';
import {
  assertGood,
  assertSame,
  type EmbedderCheck,
  embedChunk,
  embedChunks,
  embedderChecks,
  roles,
  withEmbedder,
} from './embedder-check.ts';

/** Checks of concurrent calls and of how calls end. */
export const callChecks: readonly EmbedderCheck[] = [
  ...embedderChecks({
    'is interrupted before it begins when the caller has stopped already': async (embedder) => {
      const signal = AbortSignal.abort();
      for (const as of roles) await assertInterrupted(embedder.embed(['a', 'b'], { as, signal }));
      await embedChunk(embedder, 'works still');
    },
    'ends interrupted or whole when the caller stops during a call, and works on': async (embedder) => {
      await embedChunk(embedder, 'ready');
      const texts = Array.from({ length: fullCall(embedder) }, (_, index) => `text number ${index}`);
      const controller = new AbortController();
      const call = embedder.embed(texts, { as: 'chunk', signal: controller.signal });
      controller.abort();
      const vectors = await call.catch((error: unknown) => assertCode(error, 'interrupted'));
      if (vectors) assertGood(vectors, texts.length, embedder);
      await embedChunk(embedder, 'works still');
    },
    'leaves nothing on a signal that outlives the call': async (embedder) => {
      const controller = new AbortController();
      const { signal } = controller;
      await embedder.embed(['one'], { as: 'chunk', signal });
      controller.abort();
      await embedChunk(embedder, 'works still');
    },
    'answers calls that run at the same time each with its own vectors': async (embedder) => {
      const names = Array.from({ length: 12 }, (_, index) => `call number ${index} about topic ${index * 7}`);
      const together = await Promise.all(
        names.map((name) => embedder.embed([name, 'beside'], { as: 'chunk' })),
      );
      for (const [at, name] of names.entries()) {
        assertSame(together[at]?.[0], await embedChunk(embedder, name), `"${name}" has its own vector`);
      }
    },
    'takes a call as large as its limits allow': async (embedder) => {
      await embedder.load?.();
      const count = fullCall(embedder);
      await embedChunks(
        embedder,
        Array.from({ length: count }, (_, index) => `short text ${index}`),
      );
    },
  }),
  {
    promise: 'can be loaded more than once, and before any call',
    opensItsOwn: true,
    check: withEmbedder(async (embedder) => {
      await embedder.load?.();
      await Promise.all([embedder.load?.(), embedder.load?.()]);
      await embedChunk(embedder, 'ready');
    }),
  },
  {
    promise: 'can be closed twice, and without ever being used',
    opensItsOwn: true,
    async check(open) {
      const used = await open();
      await embedChunk(used, 'once');
      await used.close();
      await used.close();
      const unused = await open();
      await unused.close();
      await unused.close();
    },
  },
  {
    promise: 'continues to work when another one with the same settings is closed',
    opensItsOwn: true,
    async check(open) {
      const [one, other] = [await open(), await open()];
      await embedChunk(one, 'first');
      await one.close();
      await embedChunk(other, 'second');
      await other.close();
    },
  },
];

/** Texts in a full call, limited by the time of a check. */
function fullCall({ limits }: Embedder): number {
  return Math.min(limits.batchTexts, Math.floor((limits.batchTokens ?? Number.POSITIVE_INFINITY) / 8), 300);
}

async function assertInterrupted(work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => {
    assertCode(error, 'interrupted');
    return true;
  });
}

function assertCode(error: unknown, code: string): undefined {
  assert.ok(error instanceof Error && 'code' in error, `an error of the catalogue, not ${String(error)}`);
  assert.equal(error.code, code);
}
