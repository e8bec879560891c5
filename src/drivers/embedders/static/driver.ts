import { z } from 'zod';
import { defineDriver } from '../../../contracts/driver.ts';
import type { Embedder } from '../../../contracts/embedder.ts';
import { bundledInstallation } from '../../../models/model-files.ts';
import { bundledTokenizer } from '../../../models/tokenizers/bundled.ts';
import { unlessAborted } from '../../../platform/abort.ts';
import { once } from '../../../platform/once.ts';
import { buildTable, recipe } from './build-table.ts';
import { keptTable } from './table-cache.ts';
import { vectorOf } from './token-table.ts';

/** What decides the table; the whole vocabulary unless a smaller part will do. */
export interface StaticOptions {
  readonly cacheFolder: string;
  readonly mostPieces?: number;
}

/** Vectors from a table of the bundled model's pieces: a look-up and a mean, with no model at work. */
export async function createStaticEmbedder({ cacheFolder, mostPieces }: StaticOptions): Promise<Embedder> {
  const { card } = bundledInstallation;
  const tokenizer = await bundledTokenizer();
  const hash = card.files['model.onnx'].slice(0, 12);
  const part = mostPieces === undefined ? '' : `-${mostPieces}`;
  let kept = 'built once, kept in the cache';
  const table = once(async () => {
    const name = `${card.name}-${hash}-${recipe}${part}`;
    const { table, notKept } = await keptTable(cacheFolder, name, () =>
      buildTable(bundledInstallation, mostPieces),
    );
    if (notKept !== undefined) kept = `built for this process alone: ${notKept}`;
    return table;
  });
  return {
    fingerprint: `static:${card.name}:${hash}:${recipe}${part}`,
    dimensions: card.dimensions,
    maxTokens: card.windowTokens - 2,
    limits: { batchTexts: 256, concurrency: 1, gainsFromSize: false },
    // Measured: at one half claims about science lose .05, at .3 nothing loses and four of seven collections gain.
    denseWeight: 0.3,
    get facts() {
      return { model: `${card.name}, distilled`, weights: `SHA-256 ${hash}…, recipe ${recipe}`, table: kept };
    },
    countTokens: (text) => tokenizer.encode(text).length,
    async load() {
      await table();
    },
    async embed(texts, { signal }) {
      const ready = await unlessAborted(table, signal);
      return texts.map((text) => vectorOf(ready, tokenizer.encode(text)));
    },
    async close() {},
  };
}

export default defineDriver({
  name: 'static',
  summary:
    'A table distilled from the bundled model: many times faster, far less exact; a help to text search, no match for the model.',
  options: z.strictObject({}),
  requires: [],
  open: async (_, { cacheFolder }) => createStaticEmbedder({ cacheFolder }),
});
