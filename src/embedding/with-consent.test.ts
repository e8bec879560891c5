import { expect, test } from 'vitest';
import { QuarryError } from '../core/errors.ts';
import { createHashingEmbedder } from '../drivers/embedders/hashing.ts';
import { withConsent } from './with-consent.ts';

test('each call asks for consent, and none is made without it', async () => {
  const calls: string[] = [];
  let isAgreed = true;
  const plain = createHashingEmbedder();
  const embedder = withConsent(
    {
      ...plain,
      load: async () => void calls.push('load'),
      tokenVectors: async () => {
        calls.push('tokenVectors');
        return [];
      },
      embed: (texts, options) => {
        calls.push('embed');
        return plain.embed(texts, options);
      },
    },
    async () => {
      if (!isAgreed) throw new QuarryError('consent-missing', 'Withdrawn.', 'Agree again.');
    },
  );
  await embedder.load?.();
  expect(await embedder.embed(['text'], { as: 'query' })).toEqual(
    await plain.embed(['text'], { as: 'query' }),
  );
  await embedder.tokenVectors?.(['text'], { as: 'query' });
  isAgreed = false;
  await expect(embedder.load?.()).rejects.toMatchObject({ code: 'consent-missing' });
  await expect(embedder.embed(['text'], { as: 'query' })).rejects.toMatchObject({ code: 'consent-missing' });
  await expect(embedder.tokenVectors?.(['text'], { as: 'query' })).rejects.toMatchObject({
    code: 'consent-missing',
  });
  expect(calls).toEqual(['load', 'embed', 'tokenVectors']);
});

test('an embedder without loading stays one without', () => {
  expect(withConsent(createHashingEmbedder(), async () => {}).load).toBeUndefined();
});
