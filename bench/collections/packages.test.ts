import type { Server } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { evaluateSet } from '../../src/evaluation/evaluate-set.ts';
import { startRegistry, tinyPackage } from '../../src/models/tiny-model.fixture.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { readPackageQuestions } from './packages.ts';

let server: Server;
let address: string;
beforeAll(async () => {
  ({ server, address } = await startRegistry(await tinyPackage()));
});
afterAll(() => server.close());
afterEach(() => vi.unstubAllEnvs());

/** A question about the tiny package, or about one that the registry does not have. */
async function setAbout(name: string) {
  vi.stubEnv('npm_config_registry', address);
  vi.stubEnv('npm_config_cache', await temporaryFolder());
  vi.stubEnv('npm_config_fetch_retries', '0');
  const question = {
    _id: 'q1',
    package: name,
    root: 'data',
    text: 'WordPiece vocab',
    relevant: [{ path: 'data/tiny/tokenizer.json' }],
  };
  const folder = await temporaryFolder({ 'queries.jsonl': JSON.stringify(question) });
  return readPackageQuestions(folder, { cacheFolder: await temporaryFolder() });
}

async function evaluated(name: string) {
  const work = evaluateSet(
    await setAbout(name),
    [{ name: 'text', settings: { 'embedder.driver': 'hashing' }, denseWeight: 0 }],
    {
      textOnly: true,
    },
  );
  let step = await work.next();
  while (!step.done) step = await work.next();
  return step.value;
}

test('a package comes from the registry that npm is set to; a path of it is found by its end', async () => {
  const result = await evaluated('tiny-model-package@1.2.3');
  expect(result.questions[0]?.answers.text).toMatchObject({
    scores: { hit_1: 1 },
    found: ['data/tiny/tokenizer.json'],
  });
});

test('a package that the registry lacks is an error that speaks of the registry', async () => {
  await expect(evaluated('no-such-package@1.0.0')).rejects.toMatchObject({
    code: 'provider-unreachable',
    message: expect.stringContaining('no-such-package@1.0.0'),
    remedy: expect.not.stringContaining('--from'),
  });
});
