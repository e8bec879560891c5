import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { addVectors, putDocument } from '../../../index/write.ts';
import { loadSqlite } from '../../../platform/sqlite/load-sqlite.ts';
import { chunkEntries, documentRecord, unitVector } from '../../../testing/documents.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { defectsOf } from '../damage.fixture.ts';
import driver from './driver.ts';
import { openSqliteStore } from './store.ts';

test('keeps its file in the state folder unless a path is given', async () => {
  const stateFolder = await mkdtemp(join(tmpdir(), 'quarry-driver-'));
  const context = driverContext({ stateFolder });
  for (const [options, file] of [
    [{}, 'index.sqlite'],
    [{ path: join(stateFolder, 'other.db') }, 'other.db'],
  ] as const) {
    const store = await driver.open(driver.options.parse(options), context);
    await store.close();
    expect((await stat(join(stateFolder, file))).isFile()).toBe(true);
  }
  await rm(stateFolder, { recursive: true });
});

test('refuses options it does not know', () => {
  expect(driver.options.safeParse({ file: 'x' }).success).toBe(false);
  expect(driver.options.safeParse({ path: '' }).success).toBe(false);
});

test('importing the driver loads no SQLite, and opening it prints no warning', async () => {
  const script = `
    const loaded = () => process.moduleLoadList.some((name) => name.includes('sqlite'));
    const { default: driver } = await import(${JSON.stringify(new URL('./driver.ts', import.meta.url).href)});
    const before = loaded();
    const store = await driver.open({ path: ':memory:' }, { ownKey: async () => new Uint8Array() });
    await store.close();
    process.stdout.write(JSON.stringify([before, loaded()]));`;
  const flags = ['--experimental-strip-types', '--input-type=module', '-e', script];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, flags);
  expect(JSON.parse(stdout)).toEqual([false, true]);
  expect(stderr).not.toContain('SQLite');
});

test('silences the notice about SQLite and no other warning', () => {
  const warnings: unknown[] = [];
  const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation((warning) => {
    warnings.push(warning);
  });
  const replaced = process.emitWarning;
  loadSqlite(() => {
    process.emitWarning('SQLite is an experimental feature', 'ExperimentalWarning');
    process.emitWarning('Something else', 'ExperimentalWarning');
    process.emitWarning('SQLite is slow today');
    return process.getBuiltinModule('node:sqlite');
  });
  expect(process.emitWarning).toBe(replaced);
  emitWarning.mockRestore();
  expect(warnings).toEqual(['Something else', 'SQLite is slow today']);
});

test('says which Node.js it needs where SQLite is missing', () => {
  expect(() => loadSqlite(() => undefined)).toThrow(expect.objectContaining({ code: 'requirement-missing' }));
});

test('use after closing is refused, and closing again does nothing', async () => {
  const store = openSqliteStore(':memory:');
  await store.close();
  await store.close();
  await expect(store.paths()).rejects.toMatchObject({ code: 'store-unusable' });
  await expect(defectsOf(store.checkStructure())).rejects.toMatchObject({ code: 'store-unusable' });
});

test('drops a vector whose text has left the index before it came', async () => {
  const store = openSqliteStore(':memory:');
  const document = documentRecord('a.md');
  const entries = chunkEntries(document, ['one']);
  const vectors = entries.map(({ embeddingKey }) => ({ embeddingKey, vector: unitVector('one', 4) }));
  await addVectors(store, 'space', vectors);
  await putDocument(store, { document, chunks: entries });
  expect(await store.missingVectors('space', 10)).toHaveLength(1);
  await addVectors(store, 'space', vectors);
  expect(await store.missingVectors('space', 10)).toEqual([]);
  await store.close();
});
