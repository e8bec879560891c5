import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { defineDriver } from '../../../contracts/driver.ts';
import type { Embedder, EmbeddingRole, EmbedOptions } from '../../../contracts/embedder.ts';
import { QuarryError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/identity.ts';
import { isModelPath } from '../../../core/settings/model-path.ts';
import { bundledModel, publishedHash } from '../../../models/catalogue.ts';
import { devices, parallelismOf } from '../../../models/inference/device.ts';
import type { ModelCard } from '../../../models/model-card.ts';
import { findModel } from '../../../models/model-files.ts';
import { loadTokenizer } from './encoder.ts';
import { callEncoder, type EncoderRequest, encodeQuestion } from './encoder-pool.ts';

/** Texts in one message to a thread: few, so that a question asked meanwhile waits for little. */
const textsPerCall = 8;

/** Folders of the models that have worked in this process. */
const loaded = new Set<string>();

const options = z.strictObject({
  model: z.string().default(bundledModel.name),
  threads: z.int().min(1).max(256).optional(),
  device: z.enum(devices).default('cpu'),
});

export default defineDriver({
  name: 'local',
  summary: 'A model on this machine: one from the package (int8), one added by name, or a folder.',
  options,
  requires: [],
  async open({ model: name, threads = availableParallelism(), device }, { cacheFolder }): Promise<Embedder> {
    const model = await findModel(name, cacheFolder);
    const tokenizer = await loadTokenizer(model);
    const { card } = model;
    const hash = publishedHash(card).slice(0, 12);
    // In a folder of the user's own more than the weights can change: pooling, prefixes, tokenizer.
    const version = isModelPath(name) ? sha256(JSON.stringify(card)).slice(0, 12) : hash;
    const asking = card.queryModel === undefined ? model : await findModel(card.queryModel, cacheFolder);
    if (asking.card.dimensions !== card.dimensions) throw otherDimensions(card, asking.card);
    const keys: Record<EmbeddingRole, Parameters<typeof callEncoder>[0]> = {
      query: { model: asking, device, threads },
      chunk: { model, device, threads },
    };
    const { sessions, threads: threadsEach } = parallelismOf(device, threads);
    const prefixes: Record<EmbeddingRole, string> = {
      query: asking.card.queryPrefix,
      chunk: card.passagePrefix,
    };
    const prefixed = (texts: readonly string[], as: EmbeddingRole): readonly string[] =>
      prefixes[as] === '' ? texts : texts.map((text) => prefixes[as] + text);
    const encode = async (
      want: EncoderRequest['want'],
      texts: readonly string[],
      { as, signal }: EmbedOptions,
    ) => {
      const call = as === 'query' && texts.length === 1 ? encodeQuestion : callEncoder;
      const made = await call(keys[as], { want, texts: prefixed(texts, as) }, signal);
      loaded.add(keys[as].model.folder);
      return made;
    };
    return {
      fingerprint: `local:${card.name}:${version}`,
      dimensions: card.dimensions,
      maxTokens: card.windowTokens - 2,
      limits: { batchTexts: textsPerCall, concurrency: sessions, gainsFromSize: false },
      facts: {
        model: card.name,
        ...(asking !== model && { questions: asking.card.name }),
        weights: `${card.precision}, SHA-256 ${hash}…`,
        device: `${device}, up to ${sessions} x ${threadsEach} threads`,
      },
      countTokens: (text) => tokenizer.encode(text).length,
      get isLoaded() {
        return [asking, model].every(({ folder }) => loaded.has(folder));
      },
      async load() {
        // What is long is the work on chunks; the model of questions is loaded by the first one.
        await callEncoder(keys.chunk, { want: 'vectors', texts: [] });
      },
      embed: async (texts, options) => (await encode('vectors', texts, options)).vectors,
      embedWithSketches: (texts, options) => encode('vectors-and-sketches', texts, options),
      tokenVectors: async (texts, options) => (await encode('token-vectors', texts, options)).vectors,
      async close() {},
    };
  },
});

function otherDimensions(card: ModelCard, asking: ModelCard): QuarryError {
  return new QuarryError(
    'config-invalid',
    `The model ${card.name} has ${card.dimensions} dimensions, and ${asking.name}, its query_model, ${asking.dimensions}.`,
    'Name a model whose space this one has learned, or leave query_model out.',
  );
}
