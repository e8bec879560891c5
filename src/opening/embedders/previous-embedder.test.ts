import { expect, test } from 'vitest';
import memoryDriver from '../../drivers/stores/memory.ts';
import { driverContext } from '../../testing/driver-context.ts';
import { previousEmbedder, rememberEmbedder } from './previous-embedder.ts';

test('an index remembers its embedder without what may be a key in its address', async () => {
  const store = await memoryDriver.open({}, driverContext());
  const embedder = { driver: 'openai', model: 'm', url: 'https://a:b@host/v1?key=hidden' };
  await rememberEmbedder(store, await store.state(), { space: 'openai:host:m', embedder });
  expect(previousEmbedder(await store.state())).toEqual({
    space: 'openai:host:m',
    embedder: { driver: 'openai', model: 'm', url: 'https://host/v1' },
  });
});

test('a model that was not named is the default of that time', async () => {
  const store = await memoryDriver.open({}, driverContext());
  const space = 'local:all-MiniLM-L6-v2:afdb6f1a0e45';
  await rememberEmbedder(store, await store.state(), { space, embedder: { driver: 'local' } });
  expect(previousEmbedder(await store.state())?.embedder).toEqual({
    driver: 'local',
    model: 'all-MiniLM-L6-v2',
  });
  await rememberEmbedder(store, await store.state(), {
    space,
    embedder: { driver: 'local', model: 'gte-small' },
  });
  expect(previousEmbedder(await store.state())?.embedder).toEqual({ driver: 'local', model: 'gte-small' });
});

test('weights in a folder are not loaded because an index says so', async () => {
  const store = await memoryDriver.open({}, driverContext());
  await rememberEmbedder(store, await store.state(), {
    space: 'local:x',
    embedder: { driver: 'local', model: './weights' },
  });
  expect(previousEmbedder(await store.state())).toBeUndefined();
});
