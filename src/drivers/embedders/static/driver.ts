import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { defineDriver } from '../../../contracts/driver.ts';
import type { Embedder } from '../../../contracts/embedder.ts';
import { interrupted, QuarryError } from '../../../core/errors.ts';
import { bundledTokenizer } from '../../../models/tokenizers/bundled.ts';
import { once } from '../../../platform/once.ts';
import { packagePath } from '../../../platform/package-folder.ts';
import { type TokenTable, tableFromBytes, vectorOf } from './token-table.ts';

/** The table inside the package, what its bytes hash to, by which its vectors are named, and the hash at its own end. */
export const bundledTable = {
  path: packagePath('models/token-table/table.bin'),
  hash: 'f074903377bdcbddb98469ad57f114d03ff1a2d7099e2894bdf390cc3f79ded9',
  endsWith: '8023caf0dc7441db91450827283c33e3adf4a13222d934100693202440beb8a3',
  dimensions: 256,
};

/** Vectors from a trained table of the bundled tokenizer's pieces: a look-up and a sum, without any model. */
export async function createStaticEmbedder(from = bundledTable): Promise<Embedder> {
  const tokenizer = bundledTokenizer();
  const table = once(() => readTable(from));
  const hash = from.hash.slice(0, 12);
  return {
    fingerprint: `static:token-table:${hash}`,
    dimensions: from.dimensions,
    maxTokens: 254,
    limits: { batchTexts: 256, concurrency: 1, gainsFromSize: false },
    // Measured: at .4 claims about science lose more than other collections gain.
    denseWeight: 0.3,
    facts: { model: 'token table of the package', weights: `SHA-256 ${hash}…` },
    countTokens: (text) => tokenizer.encode(text).length,
    async load() {
      await table();
    },
    async embed(texts, { signal }) {
      if (signal?.aborted) throw interrupted(signal.reason);
      const ready = await table();
      if (signal?.aborted) throw interrupted(signal.reason);
      return texts.map((text) => vectorOf(ready, tokenizer.encode(text)));
    },
    async close() {},
  };
}

async function readTable({ path, endsWith }: typeof bundledTable): Promise<TokenTable> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new QuarryError('model-not-found', `The token table ${path} cannot be read.`, remedy, { cause });
  });
  // Its own hash is checked when it is read: one pass over eight megabytes is enough.
  const table = tableFromBytes(bytes);
  if (table && bytes.subarray(-endsWith.length / 2).toString('hex') === endsWith) return table;
  throw new QuarryError('model-not-found', `The token table ${path} is not the one of this version.`, remedy);
}

const remedy = 'Install the package again.';

export default defineDriver({
  name: 'static',
  summary:
    'A trained table of word pieces: some 40 times faster than the bundled model, far less exact; a help to text search, no match for the model.',
  options: z.strictObject({}),
  requires: [],
  open: () => createStaticEmbedder(),
});
