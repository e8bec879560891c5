import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { defineDriver } from '../../../contracts/driver.ts';
import type { Embedder } from '../../../contracts/embedder.ts';
import { loadTokenizer } from './encoder.ts';
import { sharedEncoder } from './encoder-client.ts';
import { bundledModels, bundledModelsFolder, findModel } from './model-files.ts';

const options = z.strictObject({
  model: z.string().default(bundledModels[0]?.name ?? ''),
  /** Threads of the model's arithmetic. */
  threads: z.int().min(1).max(256).optional(),
  /** Folder that holds one folder per model. */
  folder: z.string().default(bundledModelsFolder),
});

export default defineDriver({
  name: 'local',
  summary: 'all-MiniLM-L6-v2 (int8) on this machine, from weights inside the package.',
  options,
  requires: ['onnxruntime-node'],
  async open({ model, threads = availableParallelism(), folder }): Promise<Embedder> {
    const card = findModel(model);
    const tokenizer = await loadTokenizer(card, folder);
    return {
      fingerprint: `local:${card.name}:${card.files['model.onnx'].slice(0, 12)}`,
      dimensions: card.dimensions,
      maxTokens: card.windowTokens - 2,
      limits: { batchTexts: 32 },
      countTokens: (text) => tokenizer.encode(text).length,
      async load() {
        await sharedEncoder({ card, folder, threads }).embed([]);
      },
      embed: (texts, { signal }) => sharedEncoder({ card, folder, threads }).embed(texts, signal),
      async close() {},
    };
  },
});
