import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { settingsSchema } from '../../settings/settings.ts';
import { driverContext } from '../../testing/driver-context.ts';
import { createEmbedders, type ProjectEmbedders } from './project-embedders.ts';

async function embeddersWith(embedder: Readonly<Record<string, unknown>>): Promise<ProjectEmbedders> {
  const context = driverContext({ cacheFolder: await temporaryFolder() });
  const settings = settingsSchema.parse({
    embedder,
    embedders: { other: { driver: 'hashing', dimensions: 32 } },
  });
  const open = async () => context;
  return createEmbedders(settings, open, open);
}

/** Where the vectors of one text come from, for each embedder of the project. */
async function originsOf({ sources }: ProjectEmbedders, text: string): Promise<string[]> {
  const origins: string[] = [];
  const texts = async function* () {
    yield { text, owner: text };
  };
  for (const source of sources)
    for await (const outcome of (await source()).vectorsFor(texts()))
      origins.push(outcome.kind === 'vectors' ? outcome.from : outcome.error.message);
  return origins;
}

describe('after the embedders of a project were closed', () => {
  test('what is made is still remembered, and nothing that was closed is used', async () => {
    const embedders = await embeddersWith({ driver: 'hashing' });
    expect(await originsOf(embedders, 'before')).toEqual(['model', 'model']);
    const [source] = embedders.sources;
    const before = await source?.();
    await embedders.close();
    expect(await originsOf(embedders, 'before')).toEqual(['cache', 'cache']);
    expect(await originsOf(embedders, 'after')).toEqual(['model', 'model']);
    const after = await source?.();
    expect(after).not.toBe(before);
    expect(after?.problem).toBeUndefined();
    await embedders.close();
    expect(await originsOf(embedders, 'after')).toEqual(['cache', 'cache']);
    await embedders.close();
  });

  test('one that was being opened is closed with the others', async () => {
    const embedders = await embeddersWith({ driver: 'hashing' });
    const opening = originsOf(embedders, 'early');
    await embedders.close();
    await opening;
    expect(await originsOf(embedders, 'late')).toEqual(['model', 'model']);
    expect(await originsOf(embedders, 'late')).toEqual(['cache', 'cache']);
    await embedders.close();
  });
});

test('an embedder that could not be opened is opened by the next call', async () => {
  let isAgreed = false;
  const context = driverContext({
    cacheFolder: await temporaryFolder(),
    async requireConsent() {
      if (!isAgreed) throw new Error('Not agreed.');
    },
  });
  const embedder = { driver: 'openai', url: 'http://127.0.0.1:9/v1', model: 'm' };
  const open = async () => context;
  const embedders = createEmbedders(settingsSchema.parse({ embedder }), open, open);
  const [source] = embedders.sources;
  await expect(source?.()).rejects.toThrow('Not agreed.');
  await expect(embedders.forQueries()).rejects.toThrow('Not agreed.');
  isAgreed = true;
  expect((await source?.())?.embedder.fingerprint).toBe((await embedders.forQueries()).fingerprint);
  await embedders.close();
});
