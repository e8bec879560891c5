import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { systemClock } from '../../../../platform/clock.ts';
import { chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { openSqliteStore, type SqliteStore } from '../store.ts';
import { defectsOf, fillLibrary, library, readLibrary, tamper } from './library.fixture.ts';

let path: string;
let before: Map<string, unknown>;

beforeEach(async () => {
  path = join(await temporaryFolder(), 'index.sqlite');
  const store = openSqliteStore(path);
  await fillLibrary(store);
  before = await readLibrary(store);
  await store.close();
  tamper(path, 'DROP INDEX chunks_by_id');
});

describe('an index whose structure is damaged', () => {
  test('is copied into the candidate and stays as it is', async () => {
    const [store, candidate] = [open(), open(`${path}.next`)];
    const defects = await defectsOf(store);
    const { repaired, removed, salvaged } = await store.repair({ candidate: async () => candidate });
    salvaged?.release();
    expect({ repaired, removed }).toEqual({ repaired: defects, removed: [] });
    expect(await readLibrary(candidate)).toEqual(before);
    expect(await defectsOf(candidate)).toEqual([]);
    expect((await candidate.state()).revision).toBeGreaterThan((await store.state()).revision);
    expect(await defectsOf(store)).toEqual(defects);
  });

  test('is refused where there is no candidate', async () => {
    await expect(open().repair()).rejects.toMatchObject({ code: 'store-corrupt' });
  });

  test('cannot be written until it is released, and what was committed before is in the copy', async () => {
    const [store, candidate] = [open(), open(`${path}.next`)];
    const other = open(path, { busyTimeout: 0 });
    const add = async (name: string) => {
      const document = documentRecord(`virtual:${name}`);
      await other.put(document, chunkEntries(document, [`note ${name}`]));
      return document.uri;
    };
    const added: string[] = [];
    let isMended = false;
    const adding = async () => {
      while (!isMended) {
        await add(String(added.length)).then(
          (uri) => added.push(uri),
          (error) => expect(error).toMatchObject({ code: 'store-busy' }),
        );
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    // The damage is known and nothing is copied yet: the last moment at which a write surely comes through.
    const work: Promise<void>[] = [];
    const { salvaged } = await store.repair({
      candidate: async () => {
        added.push(await add('found'));
        work.push(adding());
        return candidate;
      },
    });
    isMended = true;
    await Promise.all(work);
    expect(await candidate.paths()).toEqual([...library.keys(), ...added].sort());
    await expect(add('late')).rejects.toMatchObject({ code: 'store-busy' });
    salvaged?.release();
    await add('late');
  });

  test('waits for another process that is writing', async () => {
    const other = new DatabaseSync(path);
    onTestFinished(() => other.close());
    let waits = 0;
    // The other process ends its transaction while this one waits: only work of this process can bring that about.
    const clock = {
      now: systemClock.now,
      wait: async (milliseconds: number) => {
        if (milliseconds > 0) waits += 1;
        if (waits === 3 && other.isTransaction) other.exec('COMMIT');
      },
    };
    const [store, candidate] = [open(path, { clock }), open(`${path}.next`)];
    other.exec('BEGIN IMMEDIATE; UPDATE revision SET value = 1000');
    const { salvaged } = await store.repair({ candidate: async () => candidate });
    salvaged?.release();
    expect(waits).toBe(3);
    expect((await candidate.state()).revision).toBeGreaterThan(1000);
  });

  test('can be written again after its copying was stopped', async () => {
    const stop = new AbortController();
    const candidate = open(`${path}.next`);
    const store = open(path, { busyTimeout: 0 });
    const repair = store.repair({
      signal: stop.signal,
      candidate: async () => {
        stop.abort();
        return candidate;
      },
    });
    await expect(repair).rejects.toMatchObject({ code: 'interrupted' });
    await store.setFact('name', 'value');
  });
});

function open(file = path, options: Parameters<typeof openSqliteStore>[1] = {}): SqliteStore {
  const store = openSqliteStore(file, options);
  onTestFinished(() => store.close());
  return store;
}
