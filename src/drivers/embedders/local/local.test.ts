import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import type { Embedder, SketchedVectors } from '../../../contracts/embedder.ts';
import { QuarryError } from '../../../core/errors.ts';
import { createModelThreads } from '../../../models/inference/model-threads.ts';
import { modelFiles } from '../../../models/model-card.ts';
import { bundledInstallation, bundledQueryInstallation, modelPath } from '../../../models/model-files.ts';
import { threadFile } from '../../../platform/package-folder.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { windowsOf } from '../windows.ts';
import driver from './driver.ts';
import { callEncoder, type EncoderRequest } from './encoder-pool.ts';
import reference from './fixtures/reference-vectors.json' with { type: 'json' };

const open = (options: object = {}) => driver.open(driver.options.parse(options), driverContext());
const embed = async (embedder: Embedder, ...texts: string[]) => embedder.embed(texts, { as: 'chunk' });

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

const forged = { ...bundledInstallation.card.files, 'model.onnx': 'f'.repeat(64) };
let embedder: Embedder;
let published: Embedder;
beforeAll(async () => {
  embedder = await open();
  published = await open({ model: bundledQueryInstallation.card.name });
});

describe('a question', () => {
  test('that several ask at once is encoded once, and one of them that stops does not stop the others', async () => {
    const stop = new AbortController();
    const asked = ['what do all of them ask?'];
    const stopped = embedder.embed(asked, { as: 'query', signal: stop.signal });
    const others = [1, 2].map(() => embedder.embed(asked, { as: 'query' }));
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'interrupted' });
    const [[one] = [], [other] = []] = await Promise.all(others);
    expect(one).toHaveLength(384);
    expect(other).toBe(one);
  });
});

describe('vectors', () => {
  test('of questions point where the published float32 model points, those of chunks near it', async () => {
    for (const { text, vector } of reference.vectors) {
      const [asked] = await embedder.embed([text], { as: 'query' });
      expect(cosine(asked ?? [], vector)).toBeGreaterThan(0.97);
      const [ours] = await embed(embedder, text);
      expect(cosine(ours ?? [], vector)).toBeGreaterThan(0.8);
    }
  });

  test('of questions are those of the published model in the package, to the bit, those of chunks are not', async () => {
    const texts = ['how is the cache emptied?', 'Where are vectors kept?'];
    expect(await embedder.embed(texts, { as: 'query' })).toEqual(
      await published.embed(texts, { as: 'query' }),
    );
    expect(await embed(embedder, ...texts)).not.toEqual(await embed(published, ...texts));
    expect(embedder.facts).toMatchObject({ model: 'quarry-minilm-l4', questions: 'all-MiniLM-L6-v2' });
  });

  test('are the same where the model has a process of its own, as on Windows', async () => {
    const file = threadFile('drivers/embedders/local/encoder-thread');
    const crashed = (reason: string) => new QuarryError('embedding-failed', reason, 'Try again.');
    const callProcess = createModelThreads<EncoderRequest, SketchedVectors>({ file, crashed }, true);
    const key = { model: bundledInstallation, device: 'cpu', threads: 1 } as const;
    const request = { want: 'vectors-and-sketches', texts: ['the first text', 'and another'] } as const;
    const made = await callProcess(key, request);
    expect(made.vectors[0]).toBeInstanceOf(Float32Array);
    expect(made).toEqual(await callEncoder(key, request));
    const gone = { ...bundledInstallation, folder: join(await temporaryFolder(), 'gone') };
    await expect(callProcess({ ...key, model: gone }, request)).rejects.toMatchObject({
      code: 'model-not-found',
    });
  });

  test('of tokens are those of the model that is asked, whichever model in its thread encoded the text last', async () => {
    const chunks = { model: bundledInstallation, device: 'cpu', threads: 1 } as const;
    const questions = { ...chunks, model: bundledQueryInstallation };
    const tokens = { want: 'token-vectors', texts: ['the first text'] } as const;
    const expected = await callEncoder(questions, tokens);
    await callEncoder(chunks, { ...tokens, want: 'vectors' });
    expect(await callEncoder(questions, tokens)).toEqual(expected);
  });

  test('give the published similarities of three sentences', async () => {
    const [lovely, sunny, stadium] = await embed(
      published,
      'The weather is lovely today.',
      "It's so sunny outside!",
      'He drove to the stadium.',
    );
    expect(cosine(lovely ?? [], sunny ?? [])).toBeCloseTo(0.666, 1);
    expect(cosine(lovely ?? [], stadium ?? [])).toBeCloseTo(0.1046, 1);
    expect(cosine(sunny ?? [], stadium ?? [])).toBeCloseTo(0.1411, 1);
  });

  test.each([
    ['How do I reset my password?', 'Steps to recover access to your account', 'A recipe for lentil soup'],
    ['open a file for reading', 'function readFile(path) returns its content', 'the cat slept on the sofa'],
    ['database connection error', 'could not connect to the SQL server', 'spring flowers in the garden'],
  ])('put %j nearer to its paraphrase than to an unrelated text', async (question, paraphrase, unrelated) => {
    const [a, b, c] = await embed(embedder, question, paraphrase, unrelated);
    expect(cosine(a ?? [], b ?? [])).toBeGreaterThan(cosine(a ?? [], c ?? []) + 0.2);
  });

  test('have unit length and 384 finite values, for any text', async () => {
    for (const text of ['', ' ', 'a', '🙂', 'word '.repeat(1000), '\u0000']) {
      const [vector] = await embed(embedder, text);
      expect(vector).toHaveLength(384);
      expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5);
    }
  });

  test('do not depend on what else is in the call', async () => {
    const text = 'A vector is a pure function of its text.';
    const [alone] = await embed(embedder, text);
    const [, among] = await embed(embedder, 'something much longer '.repeat(40), text, 'short');
    expect(among).toEqual(alone);
  });

  test('keep the name of the published weights, though the graph in the package is an optimised one', () => {
    expect(published.fingerprint).toBe('local:all-MiniLM-L6-v2:afdb6f1a0e45');
  });

  test('do not depend on the number of threads', async () => {
    const single = await open({ threads: 1 });
    const text = 'Threads share the work, not the result. '.repeat(10);
    expect(await embed(single, text)).toEqual(await embed(embedder, text));
  });
});

describe('a folder that names another model for questions', () => {
  const folderWith = async (notes: object) => {
    const folder = await temporaryFolder({
      'quarry-model.json': JSON.stringify({ dimensions: 384, window_tokens: 256, ...notes }),
    });
    for (const file of modelFiles) await copyFile(modelPath(bundledInstallation, file), join(folder, file));
    return folder;
  };

  test('has the vectors of that model for questions and its own for chunks', async () => {
    const notes = {
      query_model: bundledQueryInstallation.card.name,
      query_prefix: 'unused: ',
      passage_prefix: 'text: ',
    };
    const other = await open({ model: await folderWith(notes) });
    const texts = ['how is the cache emptied?'];
    expect(await other.embed(texts, { as: 'query' })).toEqual(await embedder.embed(texts, { as: 'query' }));
    expect(await other.embed(texts, { as: 'chunk' })).not.toEqual(
      await embedder.embed(texts, { as: 'chunk' }),
    );
    expect(other.fingerprint).not.toBe(embedder.fingerprint);
  });

  test('is refused where the two cannot share a space, or the other is not here', async () => {
    const narrow = await folderWith({ query_model: bundledQueryInstallation.card.name, dimensions: 96 });
    await expect(open({ model: narrow })).rejects.toMatchObject({ code: 'config-invalid' });
    const missing = await folderWith({ query_model: 'gte-small' });
    await expect(open({ model: missing })).rejects.toMatchObject({ code: 'model-not-found' });
  });
});

describe('long text', () => {
  const needle = 'The zebra crossing is painted every spring by the harbour master.';
  const filler = 'Quarterly revenue grew in line with expectations across all segments. ';

  test('is seen to its end: a needle in the tail moves the vector towards its question', async () => {
    const [plain, withNeedle, question] = await embed(
      embedder,
      filler.repeat(40),
      filler.repeat(35) + needle.repeat(4),
      'who paints the zebra crossing?',
    );
    const gain = cosine(withNeedle ?? [], question ?? []) - cosine(plain ?? [], question ?? []);
    expect(gain).toBeGreaterThan(0.1);
  });

  test('is covered by windows of bounded size without a gap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 8, max: 254 }), (length, size) => {
        const pieces = Array.from({ length }, (_, index) => index);
        const windows = windowsOf(pieces, size);
        expect(new Set(windows.flat())).toEqual(new Set(pieces));
        for (const window of windows) expect(window.length).toBeLessThanOrEqual(size);
      }),
    );
  });
});

describe('loading', () => {
  test('shares one model between embedders of a process', async () => {
    const before = process.memoryUsage().rss;
    const others = await Promise.all(Array.from({ length: 8 }, () => open()));
    for (const other of others) await embed(other, 'one model for all');
    // Eight copies of the weights alone would be 147 MB.
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  test('refuses weights that are not what their card says', async () => {
    const model = { ...bundledInstallation, card: { ...bundledInstallation.card, files: forged } };
    const embedding = callEncoder({ model, device: 'cpu', threads: 1 }, { want: 'vectors', texts: ['text'] });
    await expect(embedding).rejects.toMatchObject({ code: 'model-not-found' });
  });

  test('says how to get a model that is not here', async () => {
    await expect(open({ model: 'gte-small' })).rejects.toMatchObject({
      code: 'model-not-found',
      remedy: 'Run: quarry model add gte-small',
    });
  });

  test('says so when the runtime cannot use the device', async () => {
    const away = await open({ device: 'cuda' });
    await expect(embed(away, 'text')).rejects.toMatchObject({ code: 'requirement-missing' });
  });

  test('lists the known models when asked for an unknown one', async () => {
    await expect(open({ model: 'gpt-99' })).rejects.toMatchObject({
      code: 'model-not-found',
      remedy: expect.stringContaining('all-MiniLM-L6-v2, bge-small-en-v1.5'),
    });
  });

  test('stops between texts when the caller aborts', async () => {
    const controller = new AbortController();
    controller.abort();
    const embedding = embedder.embed(['a', 'b'], { as: 'query', signal: controller.signal });
    await expect(embedding).rejects.toMatchObject({ code: 'interrupted' });
  });

  test.each([5, 60, 210, 330, 440])(
    'a process that ends %i ms into the work exits with its own code',
    async (delay) => {
      const driverUrl = new URL('./driver.ts', import.meta.url).href;
      const program = `
      const { default: driver } = await import(${JSON.stringify(driverUrl)});
      const embedder = await driver.open(driver.options.parse({}), { cacheFolder: '' });
      await embedder.embed(['warm'], { as: 'query' });
      embedder.embed(Array(200).fill('many words '.repeat(100)), { as: 'query' });
      setTimeout(() => process.exit(7), ${delay});`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
      const [code] = await once(child, 'close');
      expect(code).toBe(7);
    },
  );
});
