import { beforeAll, describe, expect, test } from 'vitest';
import { sample } from '../../../../test/samples.ts';
import { putDocument } from '../../../index/write.ts';
import { documentRecord } from '../../../testing/documents.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { storeCapabilityConformance, storeConformance } from '../../../testing/store-conformance.ts';
import { checkStore } from '../check-store.fixture.ts';
import { checkDamage, type Damage } from '../damage.fixture.ts';
import driver from './driver.ts';
import { indexSchema, quoted } from './names.ts';
import { noServer, sharedPostgres, type TestDatabase } from './server.fixture.ts';

let server: TestDatabase;
let collections = 0;
beforeAll(async () => {
  if (noServer === undefined) server = await sharedPostgres();
});

const context = (index = 'index-1') => driverContext({ stateFolder: `/nowhere/${index}` });
const options = (collection: string) => ({ url: server.url, api_key: server.password, collection });
const checks = [
  ...storeConformance,
  ...storeCapabilityConformance.patternSearch,
  ...storeCapabilityConformance.searchPreparing,
];

describe.skipIf(noServer !== undefined)(`a store in PostgreSQL${noServer ? ` (${noServer})` : ''}`, () => {
  for (const promise of sample(3, checks)) {
    test(promise.promise, async () => {
      collections += 1;
      const collection = `check-${collections}`;
      await checkStore(promise, () => driver.open(options(collection), context()));
    });
  }

  test('keeps one list of indexes for all machines', async () => {
    const indexes = await driver.indexes?.(options('listed'), context());
    expect(await indexes?.current()).toBeUndefined();
    for (const name of ['index-2', 'index-10', 'index-9']) {
      const store = await driver.open(options('listed'), context(name));
      await putDocument(store, { document: documentRecord('a.md'), chunks: [] });
      await store.close();
    }
    const elsewhere = await driver.indexes?.(options('listed'), context());
    expect(await elsewhere?.names()).toEqual(['index-2', 'index-9', 'index-10']);
    await indexes?.switchTo('index-2');
    expect(await elsewhere?.current()).toBe('index-2');
    await elsewhere?.remove(['index-2']);
    expect(await indexes?.current()).toBeUndefined();
    const again = await driver.open(options('listed'), context('index-2'));
    expect((await again.state()).isEmpty).toBe(true);
    await again.close();
  });

  test.each<Damage<string>>([
    {
      name: 'a text with another letter',
      damage: "UPDATE chunks SET text = 'alpha Granite' WHERE text = 'alpha granite'",
      found: ['chunk a.md'],
      removed: ['a.md'],
    },
    {
      name: 'a symbol that is no JSON',
      damage: "UPDATE chunks SET symbol = '{' WHERE text = 'beta'",
      found: ['chunk a.md'],
      removed: ['a.md'],
    },
    {
      name: 'a chunk at another position',
      damage: "UPDATE chunks SET ordinal = 7 WHERE text = 'beta'",
      found: ['chunk a.md'],
      removed: ['a.md'],
    },
    {
      name: 'a document under an id that is not its own',
      damage: "UPDATE documents SET id = 'f' WHERE uri = 'a.md'",
      found: ['document a.md'],
      removed: ['a.md'],
    },
    {
      name: 'an entry with a status that nobody knows',
      damage: "UPDATE manifest SET status = 'good' WHERE uri = 'a.md'",
      found: ['manifest a.md'],
      removed: ['a.md'],
    },
    {
      name: 'a chunk that refers to the vector of another one',
      damage:
        "UPDATE chunks SET embedding = (SELECT embedding FROM chunks WHERE text = 'gamma') WHERE text = 'beta'",
      found: ['chunk a.md', 'chunk sub/b.md'],
    },
    {
      name: 'chunks without their words',
      damage: "DELETE FROM chunk_terms WHERE chunk = (SELECT number FROM chunks WHERE text = 'beta')",
      found: ['text a.md'],
    },
    {
      name: 'vectors of another length and of zeros',
      damage: `UPDATE vectors SET vector = '[1,2]' WHERE embedding = (SELECT embedding FROM chunks WHERE text = 'beta');
        UPDATE vectors SET vector = '[0,0,0,0,0,0,0,0]' WHERE embedding = (SELECT embedding FROM chunks WHERE text = 'gamma')`,
      found: ['vector a.md', 'vector sub/b.md'],
      lost: 2,
    },
    {
      name: 'a wrong number of chunks with a vector',
      damage: 'UPDATE spaces SET embedded = 9',
      found: ['count'],
    },
    {
      name: 'a wrong number of chunks, which only a new index has right',
      damage: 'UPDATE state SET chunks = 9',
      found: ['count'],
      isBeyondRepair: true,
    },
  ])('finds and repairs $name', async (damage) => {
    collections += 1;
    const collection = `damaged-${collections}`;
    await checkDamage(
      () => driver.open(options(collection), context()),
      damage,
      (sql) =>
        server.query(`SET search_path = ${quoted(indexSchema(collection, 'index-1'))}, public; ${sql}`),
    );
  });
});
