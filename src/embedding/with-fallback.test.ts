import { expect, test } from 'vitest';
import type { Embedder } from '../contracts/embedder.ts';
import { QuarryError } from '../core/errors.ts';
import { createHashingEmbedder } from '../drivers/embedders/hashing.ts';
import { withFallback } from './with-fallback.ts';

function failing(code: 'provider-unreachable' | 'embedding-failed', dimensions = 64): Embedder {
  const fail = () => Promise.reject(new QuarryError(code, 'It does not answer.', 'Start it.'));
  return { ...createHashingEmbedder({ dimensions }), embed: fail, load: fail };
}

test('another embedder of the same space stands in when the backend fails', async () => {
  const second = createHashingEmbedder();
  const embedder = withFallback(failing('provider-unreachable'), async () => second);
  await embedder.load?.();
  expect(await embedder.embed(['text'], { as: 'chunk' })).toEqual(
    await second.embed(['text'], { as: 'chunk' }),
  );
});

test('an embedder of another space never stands in, and the error says so', async () => {
  const embedder = withFallback(failing('provider-unreachable', 128), async () => createHashingEmbedder());
  await expect(embedder.embed(['text'], { as: 'chunk' })).rejects.toMatchObject({
    code: 'provider-unreachable',
    message:
      'It does not answer. The fallback hashing:64 makes vectors of another space, so it cannot be used instead.',
    remedy: 'Start it.',
  });
});

test('a text that is refused is refused: only a failing backend is replaced', async () => {
  const embedder = withFallback(failing('embedding-failed'), async () => createHashingEmbedder());
  await expect(embedder.embed(['text'], { as: 'chunk' })).rejects.toMatchObject({
    code: 'embedding-failed',
  });
});

test('while all is well the first one answers', async () => {
  const first = createHashingEmbedder();
  const embedder = withFallback(first, () => expect.unreachable());
  expect(await embedder.embed(['text'], { as: 'query' })).toEqual(
    await first.embed(['text'], { as: 'query' }),
  );
});

test('a backend that failed is left alone for a while', async () => {
  let calls = 0;
  let time = 0;
  const first: Embedder = {
    ...failing('provider-unreachable'),
    embed: () => {
      calls += 1;
      return Promise.reject(new QuarryError('provider-unreachable', 'Gone.', 'Start it.'));
    },
  };
  const embedder = withFallback(
    first,
    async () => createHashingEmbedder(),
    () => time,
  );
  for (let call = 0; call < 5; call += 1) await embedder.embed(['text'], { as: 'chunk' });
  expect(calls).toBe(1);
  time += 120_000;
  await embedder.embed(['text'], { as: 'chunk' });
  expect(calls).toBe(2);
});
