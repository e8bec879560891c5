import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { storeFailure } from './failures.ts';
import { openSqliteStore } from './store.ts';

// The limit on the size of a file is the one kind of full disk that a test can have everywhere but on Windows.
test.skipIf(process.platform === 'win32')(
  'a full disk is told with its remedy, and leaves the index sound and ready to go on',
  async () => {
    const path = join(await temporaryFolder(), 'index.sqlite');
    const failure = await fillUntilFull(path);
    expect(failure).toMatchObject({ code: 'store-unusable', stillReadable: true });
    expect(failure.remedy).toMatch(/free space/i);

    const store = openSqliteStore(path);
    const paths = await store.paths();
    expect(paths.length).toBe(failure.committed);
    for await (const defect of store.verify()) expect.fail(defect.detail);
    await store.setFact('goes', 'on');
    expect(await store.fact('goes')).toBe('on');
    await store.close();
  },
);

test('a disk without space is told apart from one that cannot be written', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE content (bytes); PRAGMA max_page_count = 5');
  const fill = () => database.exec('INSERT INTO content VALUES (zeroblob(100000))');
  expect(() => asStore(fill)).toThrow(
    expect.objectContaining({ code: 'store-unusable', remedy: expect.stringMatching(/^Free space/) }),
  );
  database.close();
});

function asStore(work: () => void): void {
  try {
    work();
  } catch (error) {
    throw storeFailure(error, 'index.sqlite');
  }
}

interface Failure {
  readonly code: string;
  readonly remedy: string;
  readonly committed: number;
  readonly stillReadable: boolean;
}

/** Puts documents in a process whose files may not grow beyond a megabyte, until it fails. */
async function fillUntilFull(path: string): Promise<Failure> {
  const script = `
    import { openSqliteStore } from ${moduleUrl('./store.ts')};
    import { chunkEntries, documentRecord } from ${moduleUrl('../../../testing/documents.ts')};
    const store = openSqliteStore(${JSON.stringify(path)});
    let committed = 0;
    try {
      for (;; committed += 1) {
        const document = documentRecord('file' + committed + '.md');
        const text = Array.from({ length: 500 }, (_, word) => 'word' + committed + 'x' + word).join(' ');
        await store.put(document, chunkEntries(document, [text, text + ' again']));
      }
    } catch ({ code, remedy }) {
      const stillReadable = (await store.paths()).length === committed;
      process.stdout.write(JSON.stringify({ code, remedy, committed, stillReadable }));
    }
    await store.close();`;
  const flags = [
    '--experimental-strip-types',
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
  ];
  const command = [process.execPath, ...flags, '-e', script].map(quoted).join(' ');
  const { stdout } = await promisify(execFile)('sh', ['-c', `ulimit -f 2048; exec ${command}`]);
  expect(statSync(path).size).toBeLessThanOrEqual(2048 * 1024);
  return JSON.parse(stdout);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function moduleUrl(relative: string): string {
  return JSON.stringify(new URL(relative, import.meta.url).href);
}
