import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { defineDriver } from '../../../contracts/driver.ts';
import type { Reranker } from '../../../contracts/reranker.ts';
import { QuarryError } from '../../../core/errors.ts';
import { isModelPath } from '../../../core/settings/model-path.ts';
import { devices, parallelismOf } from '../../../models/inference/device.ts';
import { openModelFolder } from '../../../models/model-folder.ts';
import { scoreEach } from '../score-each.ts';
import { callScorer } from './scoring-pool.ts';

const options = z.strictObject({
  /** A folder with `model.onnx` and `tokenizer.json`. */
  model: z.string().min(1),
  device: z.enum(devices).default('cpu'),
});

export default defineDriver({
  name: 'cross-encoder',
  summary: 'A cross-encoder on this machine, from a folder with ONNX weights and their tokenizer.json.',
  options,
  requires: [],
  async open({ model: path, device }, { resources }): Promise<Reranker> {
    if (!isModelPath(path)) throw notAFolder(path);
    const model = await openModelFolder(path);
    const { card } = model;
    const key = { model, device, threads: resources?.threads ?? availableParallelism() };
    const { sessions, threads: threadsEach } = parallelismOf(device, key.threads);
    return {
      facts: {
        model: card.name,
        weights: `${card.precision}, SHA-256 ${card.files['model.onnx'].slice(0, 12)}…`,
        device: `${device}, up to ${sessions} x ${threadsEach} threads`,
      },
      weight: 0.8,
      async load() {
        await callScorer(key, { query: '', chunks: [] });
      },
      // Asked for one by one: a score is known as soon as its chunk is through, and a stop waits for little.
      score: (query, chunks, options) =>
        scoreEach(chunks, sessions, options, async (chunk) => {
          const [score] = await callScorer(key, { query, chunks: [chunk] }, options.signal);
          return score ?? Number.NaN;
        }),
      async close() {},
    };
  },
});

function notAFolder(name: string): QuarryError {
  return new QuarryError(
    'model-not-found',
    `There is no cross-encoder named "${name}"; none comes with Quarry or can be added by name.`,
    `Set reranker.model to the path of a folder with model.onnx and tokenizer.json, such as ./${name}.`,
  );
}
