import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import type { Embedder } from '../../../contracts/embedder.ts';
import { sha256 } from '../../../core/identity.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import driver, { bundledTable, createStaticEmbedder } from './driver.ts';

let embedder: Embedder;
beforeAll(async () => {
  embedder = await createStaticEmbedder();
});

const embed = (...texts: string[]) => embedder.embed(texts, { as: 'chunk' });

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return (a ?? new Float32Array()).reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0);
}

describe('vectors', () => {
  test.each([
    ['the king lost the war', 'an army and its men died in battle', 'music of the band and its songs'],
    ['retry a request that failed', 'backoff after an HTTP error', 'round the corners of a rectangle'],
    ['the students went to school', 'education at the university', 'the water around the island'],
  ])('put %j nearer to what shares its sense than to what does not', async (text, related, unrelated) => {
    const [a, b, c] = await embed(text, related, unrelated);
    expect(cosine(a, b)).toBeGreaterThan(cosine(a, c) + 0.1);
  });

  test('have unit length and 256 finite values, for any text', async () => {
    expect(embedder.dimensions).toBe(256);
    for (const text of ['', ' ', 'a', '🙂', '\u0000', 'word '.repeat(5000), '[CLS] [SEP] [UNK]', '日本語']) {
      const [vector] = await embed(text);
      expect(vector).toHaveLength(256);
      expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5);
    }
  });

  test('are the same for both roles, alone and among others', async () => {
    const text = 'The same text is the same vector.';
    const [asQuery] = await embedder.embed([text], { as: 'query' });
    const [, asChunk] = await embed('something else', text);
    expect(asChunk).toEqual(asQuery);
  });

  test('listen to rare words more than to frequent ones', async () => {
    const [both, rare, frequent] = await embed('of the museum', 'museum', 'of the');
    expect(cosine(both, rare)).toBeGreaterThan(cosine(both, frequent) + 0.2);
  });

  test('see a long text to its end', async () => {
    const filler = 'The company and its business in the city. '.repeat(60);
    const [plain, withTail, question] = await embed(
      filler,
      filler + 'The river runs to the sea. '.repeat(20),
      'river and sea',
    );
    expect(cosine(withTail, question)).toBeGreaterThan(cosine(plain, question) + 0.1);
  });
});

describe('the table', () => {
  test('is the one whose hash the driver states', async () => {
    expect(sha256(await readFile(bundledTable.path))).toBe(bundledTable.hash);
  });

  test('is refused when one bit of it has changed, and when it is gone', async () => {
    const path = join(await temporaryFolder(), 'table.bin');
    const damaged = await createStaticEmbedder({ ...bundledTable, path });
    await expect(damaged.embed(['a'], { as: 'query' })).rejects.toMatchObject({ code: 'model-not-found' });
    const bytes = await readFile(bundledTable.path);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await writeFile(path, bytes);
    await expect(damaged.embed(['a'], { as: 'query' })).rejects.toMatchObject({ code: 'model-not-found' });
  });
});

describe('the driver', () => {
  test('takes no options and names the table by its hash', async () => {
    const opened = await driver.open(driver.options.parse({}), driverContext({}));
    expect(opened.fingerprint).toBe(`static:token-table:${bundledTable.hash.slice(0, 12)}`);
    expect(opened.countTokens('three plain words')).toBe(3);
    expect(driver.options.safeParse({ model: 'other' }).success).toBe(false);
  });

  test('does not keep a caller waiting that has stopped, before or during the work', async () => {
    const opened = await createStaticEmbedder();
    const early = AbortSignal.abort();
    await expect(opened.embed(['a'], { as: 'query', signal: early })).rejects.toMatchObject({
      code: 'interrupted',
    });
    const controller = new AbortController();
    const waiting = opened.embed(['a'], { as: 'query', signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
    expect(await opened.embed(['a'], { as: 'query' })).toHaveLength(1);
  });
});
