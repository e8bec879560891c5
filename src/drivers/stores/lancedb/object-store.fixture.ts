import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { sample } from '../../../../test/samples.ts';
import type { Store } from '../../../contracts/store.ts';
import { chunksOf } from '../../../index/chunks-of.ts';
import { putDocument, setFact } from '../../../index/write.ts';
import { countsOf } from '../../../testing/counts-of.ts';
import { chunkEntries, documentRecord, manifestEntry } from '../../../testing/documents.ts';
import { storeConformance } from '../../../testing/store-conformance.ts';

/** Those promises that depend on how an object store commits; all of them are checked with a folder. */
const promises = [
  'shows a committed document to a second connection, with every field as it was put',
  'replaces a document with all its chunks',
  'deletes by path with chunks and manifest entries, and says how many were there',
  'puts a document together with its vectors, and only where nobody was quicker',
  'keeps spaces apart and drops one without touching another',
  'remembers facts, and forgets one that is set to nothing',
  'finds chunks with any of the terms, those with more and rarer ones first',
];

/** The object stores that this run tries: outside of CI one of them, the other one next time. */
export const objectStores = sample(2, ['S3', 'Azure']);

/** What each object store is checked for. */
export const objectStorePromises = promises.map((wanted) => {
  const found = storeConformance.find(({ promise }) => promise === wanted);
  if (!found) throw new Error(`No store promises that it ${wanted}.`);
  return found;
});

/** Checks that nothing is lost, and nothing there twice, where two processes write at the same time. */
export async function checkTwoWriters(
  open: () => Promise<Store>,
  options: object,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  await setFact(await open(), 'made', 'yes');
  const writers = ['one', 'other'].map((name) => startWriter(name, options, variables));
  for (const writer of writers) expect(await exitOf(writer)).toBe(0);
  const store = await open();
  const names = ['one', 'other'].flatMap((name) => Array.from({ length: 2 }, (_, at) => `${name}-${at}.md`));
  expect(await store.paths()).toEqual([...names, 'same.md'].sort());
  const { documents, chunks, embedded } = await countsOf(store, 'space');
  expect({ documents, chunks, embedded }).toEqual({
    documents: 5,
    chunks: 4 * 3 + 2,
    embedded: 4 * 3 + 2,
  });
  expect(await chunksOf(store, documentRecord('same.md').id)).toHaveLength(2);
  await store.close();
}

/** Puts a document of two chunks. */
export async function put(store: Store, uri: string): Promise<void> {
  const document = documentRecord(uri);
  await putDocument(store, {
    document,
    chunks: chunkEntries(document, [`text of ${uri}`, 'common']),
    manifest: manifestEntry(uri),
  });
}

/** A process that writes documents of its own, and one that the other writes too. */
function startWriter(
  name: string,
  options: object,
  variables: Readonly<Record<string, string>>,
): ChildProcess {
  const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    import driver from ${source('./driver.ts')};
    import { driverContext } from ${source('../../../testing/driver-context.ts')};
    import { chunkEntries, documentRecord, unitVector } from ${source('../../../testing/documents.ts')};
    import { addVectors, putDocument } from ${source('../../../index/write.ts')};
    const environment = (variable) => (${JSON.stringify(variables)})[variable];
    const context = driverContext({ stateFolder: '/nowhere/index-1', environment });
    const store = await driver.open(${JSON.stringify(options)}, context);
    const put = async (uri, texts) => {
      const document = documentRecord(uri);
      const entries = chunkEntries(document, texts);
      await putDocument(store, { document, chunks: entries });
      await addVectors(store, 'space', entries.map(({ embeddingKey }) => ({ embeddingKey, vector: unitVector(embeddingKey, 8) })));
    };
    for (let at = 0; at < 2; at += 1) {
      await put('${name}-' + at + '.md', ['${name} ' + at, 'second ${name} ' + at, 'third ' + at]);
      await put('same.md', ['same ${name} ' + at, 'text']);
    }
    await store.close();`;
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
