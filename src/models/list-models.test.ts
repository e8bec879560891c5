import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { addModel } from './add-model.ts';
import { listModels, removeModel } from './list-models.ts';
import { cannotWrite } from './staging-folder.ts';
import { type TinyPackage, tinyModel, tinyPackage } from './tiny-model.fixture.ts';

const { name } = tinyModel.card;
const catalogue = [tinyModel];

let tiny: TinyPackage;
beforeAll(async () => {
  tiny = await tinyPackage();
});

async function withTinyModel(): Promise<string> {
  const cacheFolder = await temporaryFolder();
  await addModel({ name, cacheFolder, from: tiny.archive, catalogue });
  return cacheFolder;
}

test('lists the bundled models and those that can be added, where there is no cache yet', async () => {
  const models = await listModels(join(await temporaryFolder(), 'none'), { catalogue });
  expect(models).toMatchObject([
    { card: { name: 'quarry-minilm-l4' }, state: 'bundled' },
    { card: { name: 'all-MiniLM-L6-v2' }, state: 'bundled' },
    { card: { name }, state: 'available', bytes: 1000, package: 'tiny-model-package@1.2.3' },
  ]);
  for (const { bytes } of models.slice(0, 2)) expect(bytes).toBeGreaterThan(15_000_000);
});

test('lists an added model with its size, and says whether it is intact only when asked', async () => {
  const cacheFolder = await withTinyModel();
  const [, , plain] = await listModels(cacheFolder, { catalogue });
  expect(plain).toMatchObject({ state: 'added', bytes: 400_050 });
  expect(plain?.intact).toBeUndefined();
  expect(await listModels(cacheFolder, { catalogue, verify: true })).toMatchObject([
    { intact: true },
    { intact: true },
    { intact: true },
  ]);
  await writeFile(join(cacheFolder, 'models', name, 'tokenizer.json'), 'changed');
  const [bundled, , damaged] = await listModels(cacheFolder, { catalogue, verify: true });
  expect([bundled?.intact, damaged?.intact]).toEqual([true, false]);
});

test('removes an added model whole, and says when there was none', async () => {
  const cacheFolder = await withTinyModel();
  expect(await removeModel(name, cacheFolder, catalogue)).toBe(true);
  expect(await readdir(join(cacheFolder, 'models'))).toEqual([]);
  expect(await removeModel(name, cacheFolder, catalogue)).toBe(false);
});

test('never removes a bundled model, nor what has no name in the catalogue', async () => {
  const cacheFolder = await withTinyModel();
  for (const bundled of ['quarry-minilm-l4', 'all-MiniLM-L6-v2'])
    await expect(removeModel(bundled, cacheFolder)).rejects.toMatchObject({ code: 'usage-invalid' });
  for (const hostile of ['..', '../..', '/', 'no-such', '']) {
    await expect(removeModel(hostile, cacheFolder, catalogue)).rejects.toMatchObject({
      code: 'model-not-found',
    });
  }
  expect(await readdir(join(cacheFolder, 'models'))).toEqual([name]);
});

test('a full disk is reported otherwise than one that may not be written', () => {
  const failed = (code: string) => cannotWrite('somewhere', Object.assign(new Error(code), { code }));
  expect(failed('ENOSPC').remedy).toMatch(/^Free some space/);
  expect(failed('EDQUOT').remedy).toMatch(/^Free some space/);
  expect(failed('EACCES').remedy).toMatch(/^Make the folder writable/);
});
