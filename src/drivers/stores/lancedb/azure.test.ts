import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sample } from '../../../../test/samples.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { checkStore } from '../check-store.fixture.ts';
import { noServer, startAzurite } from './azurite.fixture.ts';
import driver from './driver.ts';
import { checkTwoWriters, objectStorePromises, objectStores, put } from './object-store.fixture.ts';

describe.skipIf(noServer !== undefined || !objectStores.includes('Azure'))(
  `LanceDB in Azure's storage${noServer ? ` (${noServer})` : ''}`,
  () => {
    let azurite: Awaited<ReturnType<typeof startAzurite>>;
    let places = 0;
    beforeAll(async () => {
      azurite = await startAzurite('box');
    });
    afterAll(() => azurite.server.kill());
    beforeEach(() => {
      places += 1;
    });

    const options = () => ({ url: `az://box/place-${places}`, collection: 'team' });
    const open = (changed: Readonly<Record<string, string>> = {}) => {
      const variables: Readonly<Record<string, string>> = { ...azurite.variables, ...changed };
      const environment = (name: string) => variables[name] ?? process.env[name];
      return driver.open(options(), driverContext({ stateFolder: '/nowhere/index-1', environment }));
    };

    test.each(sample(4, objectStorePromises, 1))('$promise', (promise) => checkStore(promise, open));

    test('keeps everything that two processes write at once, and nothing twice', async () => {
      await checkTwoWriters(open, options(), azurite.variables);
    });

    test('says that the key is refused, and loses nothing', async () => {
      const store = await open();
      await put(store, 'a.md');
      const refused = async () => {
        const other = await open({
          AZURE_STORAGE_ACCOUNT_KEY: Buffer.from('another key').toString('base64'),
        });
        await put(other, 'b.md');
      };
      await expect(refused()).rejects.toMatchObject({ code: 'provider-key' });
      expect(await store.paths()).toEqual(['a.md']);
      await store.close();
    });

    test('says that the store does not answer', async () => {
      const other = await startAzurite('box');
      const store = await open(other.variables);
      await put(store, 'a.md');
      await other.server.kill();
      await expect(put(store, 'b.md')).rejects.toMatchObject({ code: 'provider-unreachable' });
      await store.close();
    });
  },
);
