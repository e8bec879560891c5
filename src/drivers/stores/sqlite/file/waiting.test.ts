import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { createVirtualClock } from '../../../../../test/virtual-clock.ts';
import type { Store } from '../../../../contracts/store.ts';
import { addVectors, setFact } from '../../../../index/write.ts';
import { systemClock } from '../../../../platform/clock.ts';
import { openSqliteStore } from '../store.ts';

let path: string;
let other: DatabaseSync;

beforeEach(async () => {
  path = join(await temporaryFolder(), 'index.sqlite');
  await openSqliteStore(path).close();
  other = new DatabaseSync(path);
});
afterEach(() => other.close());

test('a writer that waits for another process lets the rest of its own continue', async () => {
  let waits = 0;
  // The other process ends its transaction while this one waits: only work of this process can bring that about.
  const clock = {
    now: systemClock.now,
    wait: async () => {
      waits += 1;
      if (waits === 3) other.exec('COMMIT');
    },
  };
  const store = openSqliteStore(path, { clock });
  other.exec('BEGIN IMMEDIATE; UPDATE revision SET value = 1000');
  await setFact(store, 'name', 'second');
  expect(waits).toBe(3);
  expect([(await store.state()).revision, (await store.state()).facts.get('name')]).toEqual([1001, 'second']);
  await store.close();
});

test('a writer gives up when its time is over, and readers continue meanwhile', async () => {
  const clock = createVirtualClock();
  const store = openSqliteStore(path, { clock, busyTimeout: 500 });
  await setFact(store, 'name', 'old');
  other.exec('BEGIN IMMEDIATE');
  const started = clock.now();
  const writing = setFact(store, 'name', 'new');
  expect((await store.state()).facts.get('name')).toBe('old');
  await expect(writing).rejects.toMatchObject({ code: 'store-busy' });
  expect(clock.now() - started).toBeGreaterThanOrEqual(500);
  other.exec('ROLLBACK');
  await setFact(store, 'name', 'new');
  expect((await store.state()).facts.get('name')).toBe('new');
  await store.close();
});

test('writes that had to wait are made in the order in which they were asked for', async () => {
  const store = openSqliteStore(path, { clock: releasingClock() });
  other.exec('BEGIN IMMEDIATE');
  await Promise.all(['first', 'second', 'third'].map((value) => setFact(store, 'name', value)));
  expect((await store.state()).facts.get('name')).toBe('third');
  await store.close();
});

test('closing waits for the writes that were asked for', async () => {
  const store = openSqliteStore(path, { clock: releasingClock() });
  other.exec('BEGIN IMMEDIATE');
  const writing = setFact(store, 'name', 'last');
  await store.close();
  await writing;
  const again = openSqliteStore(path);
  expect((await again.state()).facts.get('name')).toBe('last');
  await again.close();
});

test('a write that fails does not keep the next one from being made', async () => {
  const store: Store = openSqliteStore(path);
  const failing = addVectors(store, 'space', [{ embeddingKey: 'a', vector: Float32Array.of(Number.NaN) }]);
  const writing = setFact(store, 'name', 'value');
  await expect(failing).rejects.toMatchObject({ code: 'vector-invalid' });
  await writing;
  expect((await store.state()).facts.get('name')).toBe('value');
  await store.close();
});

/** A clock on which the other process ends its transaction as soon as somebody waits. */
function releasingClock() {
  return {
    now: systemClock.now,
    wait: async () => {
      if (other.isTransaction) other.exec('ROLLBACK');
    },
  };
}
