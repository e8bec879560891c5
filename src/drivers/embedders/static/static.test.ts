import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Embedder } from '../../../contracts/embedder.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import driver, { createStaticEmbedder } from './driver.ts';
import { tableFromBytes } from './token-table.ts';

let cacheFolder: string;
let embedder: Embedder;
beforeAll(async () => {
  cacheFolder = await temporaryFolder();
  embedder = await createStaticEmbedder(cacheFolder);
});

const embed = (...texts: string[]) => embedder.embed(texts, { as: 'chunk' });
const tablePath = async (folder: string) => {
  const names = await readdir(join(folder, 'static'));
  expect(names).toHaveLength(1);
  return join(folder, 'static', names[0] ?? '');
};

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return (a ?? new Float32Array()).reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0);
}

describe('vectors', () => {
  test.each([
    ['the king lost the war', 'an army and its men died in battle', 'music of the band and its songs'],
    ['the team won the game', 'a player of the football club', 'the church by the river'],
    ['the students went to school', 'education at the university', 'the water around the island'],
  ])('put %j nearer to what shares its sense than to what does not', async (text, related, unrelated) => {
    const [a, b, c] = await embed(text, related, unrelated);
    expect(cosine(a, b)).toBeGreaterThan(cosine(a, c) + 0.1);
  });

  test('have unit length and 384 finite values, for any text', async () => {
    for (const text of ['', ' ', 'a', '🙂', '\u0000', 'word '.repeat(5000), '[CLS] [SEP] [UNK]', '日本語']) {
      const [vector] = await embed(text);
      expect(vector).toHaveLength(embedder.dimensions ?? 0);
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
    expect(cosine(both, rare)).toBeGreaterThan(0.95);
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
  test('gets a row only for pieces that occur, and none for a text of known ones', async () => {
    const folder = await temporaryFolder();
    const first = await createStaticEmbedder(folder);
    await first.embed(['green tea', 'tea of green'], { as: 'chunk' });
    await first.close();
    const { steps } = tableFromBytes(await readFile(await tablePath(folder))) ?? { steps: [] };
    expect(steps.filter((step: number) => step > 0)).toHaveLength(3);
  });

  test('is read from the cache by the next process, with the same vectors', async () => {
    const [vector] = await embed('a second process');
    await embedder.close();
    const path = await tablePath(cacheFolder);
    const written = await readFile(path);
    const next = await createStaticEmbedder(cacheFolder);
    expect(await next.embed(['a second process'], { as: 'query' })).toEqual([vector]);
    await next.close();
    expect(written.equals(await readFile(path))).toBe(true);
  });

  test('grows again, to the same bytes, when its file is damaged', async () => {
    const folder = await temporaryFolder();
    const use = async () => {
      const opened = await createStaticEmbedder(folder);
      await opened.embed(['in and out'], { as: 'query' });
      await opened.close();
    };
    await use();
    const path = await tablePath(folder);
    const good = await readFile(path);
    const bad = Buffer.from(good);
    bad[good.length >> 1] = (bad[good.length >> 1] ?? 0) ^ 1;
    await writeFile(path, bad);
    await use();
    expect(good.equals(await readFile(path))).toBe(true);
  });

  test('has the rows of two embedders that grew at the same time, and nothing else is left', async () => {
    const folder = await temporaryFolder();
    const both = [await createStaticEmbedder(folder), await createStaticEmbedder(folder)] as const;
    await both[0].embed(['green'], { as: 'chunk' });
    await both[1].embed(['tea'], { as: 'chunk' });
    for (const each of both) await each.close();
    const { steps } = tableFromBytes(await readFile(await tablePath(folder))) ?? { steps: [] };
    expect(steps.filter((step: number) => step > 0)).toHaveLength(2);
  });

  test('serves the process where the cache cannot be written, and says so', async () => {
    const folder = await temporaryFolder({ static: 'a file where the folder would be' });
    const unkept = await createStaticEmbedder(folder);
    expect(await unkept.embed(['in and out'], { as: 'query' })).toHaveLength(1);
    await unkept.close();
    expect(unkept.facts.table).toMatch(/^for this process alone: /);
  });
});

describe('the driver', () => {
  test('opens without building anything, and takes no options', async () => {
    const folder = await temporaryFolder();
    const opened = await driver.open(driver.options.parse({}), driverContext({ cacheFolder: folder }));
    expect(opened.fingerprint).toMatch(/^static:all-MiniLM-L6-v2:[0-9a-f]{12}:\d+$/);
    expect(opened.countTokens('three plain words')).toBe(3);
    expect(await readdir(folder)).toEqual([]);
    expect(driver.options.safeParse({ model: 'other' }).success).toBe(false);
  });

  test('does not keep a caller waiting that has stopped, before or during the work', async () => {
    const opened = await createStaticEmbedder(await temporaryFolder());
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
