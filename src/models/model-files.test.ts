import { copyFile, truncate, writeFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../../test/temporary-folder.ts';
import { sha256 } from '../core/identity.ts';
import { isModelPath } from '../core/settings/model-path.ts';
import { bundledModel, bundledModels, publishedModels } from './catalogue.ts';
import { modelFiles } from './model-card.ts';
import { bundledInstallation, findModel, modelPath, readModelFile } from './model-files.ts';
import { tinyModel } from './tiny-model.fixture.ts';

const cacheFolder = 'unused';
const bert = { 'config.json': JSON.stringify({ hidden_size: 384, max_position_embeddings: 512 }) };
const plain = { 'model.onnx': 'weights', 'tokenizer.json': '{}', ...bert };

const open = async (files: Record<string, string>) => findModel(await temporaryFolder(files), cacheFolder);

describe('the catalogue', () => {
  test('states every model completely, each under a name of its own', () => {
    const names = [...bundledModels, ...publishedModels].map(({ card }) => card.name);
    expect(new Set(names).size).toBe(names.length);
    for (const { card, files, package: carrier, version, licence, note, downloadBytes } of publishedModels) {
      expect(isModelPath(card.name)).toBe(false);
      expect(card.name).toMatch(/^[\w.-]+$/);
      for (const hash of Object.values(card.files)) expect(hash).toMatch(/^[0-9a-f]{64}$/);
      for (const { path, bytes } of Object.values(files)) {
        expect(path).not.toMatch(/^\/|\.\.|\\/);
        expect(bytes).toBeGreaterThan(100_000);
      }
      expect(carrier).toMatch(/^(@[\w-]+\/)?[\w-]+$/);
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(licence).toMatch(/^(MIT|Apache-2\.0)$/);
      expect(note).toMatch(/\.$/);
      expect(downloadBytes).toBeGreaterThan(1_000_000);
    }
  });
});

describe('by name', () => {
  test.each(bundledModels)('$card.name is in the package, with the hashes on its card', async ({ card }) => {
    const model = await findModel(card.name, cacheFolder);
    for (const file of modelFiles) expect(sha256(await readModelFile(model, file))).toBe(card.files[file]);
  });

  test('a published model that was not added is answered with the command that adds it', async () => {
    await expect(findModel('gte-small', await temporaryFolder())).rejects.toMatchObject({
      code: 'model-not-found',
      remedy: 'Run: quarry model add gte-small',
    });
  });

  test('an unknown name is answered with those there are', async () => {
    await expect(findModel('gte-smal', cacheFolder)).rejects.toMatchObject({
      code: 'model-not-found',
      remedy: expect.stringContaining('gte-small'),
    });
  });

  test('an added model whose file was changed is refused, with the command that repairs it', async () => {
    const folder = await temporaryFolder({
      'models/tiny-model/model.onnx': 'changed',
      'models/tiny-model/tokenizer.json': '{}',
    });
    const model = await findModel('tiny-model', folder, [tinyModel]);
    await expect(readModelFile(model, 'model.onnx')).rejects.toMatchObject({
      code: 'model-not-found',
      remedy: 'Run: quarry model add tiny-model',
    });
  });
});

describe('a name that means a folder', () => {
  test.each(['./model', '.', '..', 'a/b', 'a\\b', '/abs', '.hidden'])('%s does', (name) => {
    expect(isModelPath(name)).toBe(true);
  });
  test.each(['gte-small', 'all-MiniLM-L6-v2', 'bge-small-en-v1.5'])('%s does not', (name) => {
    expect(isModelPath(name)).toBe(false);
  });
});

describe('in a folder', () => {
  test('the card comes from config.json, and the hashes from the files', async () => {
    const folder = await temporaryFolder(plain);
    const model = await findModel(folder, cacheFolder);
    expect(model).toMatchObject({ folder, weights: 'model.onnx' });
    expect(model.card).toEqual({
      name: basename(folder),
      dimensions: 384,
      windowTokens: 512,
      pooling: 'mean',
      queryPrefix: '',
      passagePrefix: '',
      precision: 'unknown',
      files: { 'model.onnx': sha256('weights'), 'tokenizer.json': sha256('{}') },
    });
    expect(Buffer.from(await readModelFile(model, 'model.onnx')).toString()).toBe('weights');
  });

  test('a relative path leads to the same model', async () => {
    const folder = await temporaryFolder(plain);
    const path = `.${sep}${relative(process.cwd(), folder)}`;
    expect(await findModel(path, cacheFolder)).toMatchObject({ folder });
  });

  test.each([
    ['onnx/model.onnx', 'unknown'],
    ['onnx/model_quantized.onnx', 'int8'],
    ['model_quantized.onnx', 'int8'],
  ])('weights are found at %s', async (path, precision) => {
    const model = await open({ ...bert, 'tokenizer.json': '{}', [path]: 'w' });
    expect(modelPath(model, 'model.onnx')).toBe(join(model.folder, path));
    expect(model.card.precision).toBe(precision);
    expect(Buffer.from(await readModelFile(model, 'model.onnx')).toString()).toBe('w');
  });

  test('the files of sentence-transformers decide window, pooling and prefixes', async () => {
    const { card } = await open({
      ...plain,
      'sentence_bert_config.json': '{"max_seq_length": 128}',
      '1_Pooling/config.json': '{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}',
      'config_sentence_transformers.json': '{"prompts": {"query": "query: ", "document": "passage: "}}',
    });
    expect(card).toMatchObject({
      windowTokens: 128,
      pooling: 'first',
      queryPrefix: 'query: ',
      passagePrefix: 'passage: ',
    });
  });

  test.each([
    ['positions that begin at two', { model_type: 'xlm-roberta', max_position_embeddings: 514 }, 512],
    ['positions beyond what memory allows', { max_position_embeddings: 32_768 }, 2048],
    ['positions under an older name', { n_positions: 1024 }, 1024],
  ])('%s give a window that fits', async (_, config, window) => {
    const { card } = await open({ ...plain, 'config.json': JSON.stringify({ hidden_size: 8, ...config }) });
    expect(card.windowTokens).toBe(window);
  });

  test('quarry-model.json has the last word', async () => {
    const own = {
      weights: 'onnx/model_fp16.onnx',
      dimensions: 5,
      window_tokens: 4096,
      pooling: 'first',
      query_prefix: 'q: ',
      passage_prefix: 'p: ',
      precision: 'fp16',
    };
    const model = await open({
      ...plain,
      'onnx/model_fp16.onnx': 'half',
      'quarry-model.json': JSON.stringify(own),
    });
    expect(model.card).toMatchObject({
      dimensions: 5,
      windowTokens: 4096,
      pooling: 'first',
      queryPrefix: 'q: ',
      passagePrefix: 'p: ',
      precision: 'fp16',
    });
    expect(Buffer.from(await readModelFile(model, 'model.onnx')).toString()).toBe('half');
  });

  test('changed weights give another hash when it is opened again, and are refused until then', async () => {
    const model = await open(plain);
    await writeFile(join(model.folder, 'model.onnx'), 'other weights');
    await expect(readModelFile(model, 'model.onnx')).rejects.toMatchObject({ code: 'model-not-found' });
    const again = await findModel(model.folder, cacheFolder);
    expect(again.card.files['model.onnx']).toBe(sha256('other weights'));
  });

  test('the bundled model works like any other', async () => {
    const folder = await temporaryFolder(bert);
    for (const file of modelFiles) {
      await copyFile(modelPath(bundledInstallation, file), join(folder, file));
    }
    expect((await findModel(folder, cacheFolder)).card.files).toEqual(bundledModel.files);
  });
});

describe('a folder is refused', () => {
  const without = (name: string) => Object.fromEntries(Object.entries(plain).filter(([key]) => key !== name));

  test.each([
    ['without weights', without('model.onnx'), 'model-not-found', 'model.onnx'],
    ['without a tokenizer', without('tokenizer.json'), 'model-not-found', 'tokenizer.json'],
    ['without a config', without('config.json'), 'config-invalid', 'config.json'],
    ['with a config that is no JSON', { ...plain, 'config.json': '{' }, 'config-invalid', 'config.json'],
    [
      'with a config of nonsense',
      { ...plain, 'config.json': '{"hidden_size": "x"}' },
      'config-invalid',
      'hidden_size',
    ],
    [
      'with a key that quarry-model.json does not have',
      { ...plain, 'quarry-model.json': '{"windowTokens": 5}' },
      'config-invalid',
      'windowTokens',
    ],
    [
      'with weights that lie elsewhere',
      { ...plain, 'quarry-model.json': '{"weights": "../model.onnx"}' },
      'config-invalid',
      'weights',
    ],
    [
      'with a pooling that cannot be done',
      { ...plain, '1_Pooling/config.json': '{"pooling_mode_lasttoken": true}' },
      'config-invalid',
      'lasttoken',
    ],
    ['with weights in two files', { ...plain, 'model.onnx_data': 'x' }, 'config-invalid', 'model.onnx_data'],
    [
      'with a layer after pooling',
      { ...plain, 'modules.json': '[{"type": "sentence_transformers.models.Dense"}]' },
      'config-invalid',
      'dense layer',
    ],
  ])('%s', async (_, files, code, words) => {
    await expect(open(files)).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  });

  test('that does not exist', async () => {
    await expect(findModel('./no/such/folder', cacheFolder)).rejects.toMatchObject({
      code: 'model-not-found',
      remedy: expect.stringContaining('quarry model list'),
    });
  });

  test('with weights of more than two gigabytes, before they are read', async () => {
    const folder = await temporaryFolder(plain);
    // A sparse file: it has the size and takes no space.
    await truncate(join(folder, 'model.onnx'), 2 ** 31 + 1);
    await expect(findModel(folder, cacheFolder)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('2.0 GiB'),
    });
    await writeFiles(folder, { 'model.onnx': 'small' });
  });
});
