import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { defineDriver } from '../../../contracts/driver.ts';
import type { Embedder, EmbedderLimits } from '../../../contracts/embedder.ts';
import { bundledModel } from '../../../models/catalogue.ts';
import { modelName } from '../../../platform/http/model-name.ts';
import { once } from '../../../platform/once.ts';
import { obtainAccess, openRemote, placeOf, remoteEmbedder, spaceName } from '../http/remote.ts';
import { ownServerTokens, remoteOptions } from '../http/remote-options.ts';
import { createThreadPool } from './thread-pool.ts';
import { rowsOfBlock } from './vector-block.ts';

const options = z.strictObject({
  model: modelName,
  url: z.string(),
  /** Tokens of the model's window, without its special tokens. */
  max_tokens: z
    .int()
    .min(16)
    .max(1_000_000)
    .default(bundledModel.windowTokens - 2),
  /** Whether requests and answers are raw numbers instead of JSON. */
  binary: z.boolean().default(false),
  /** Threads that cut texts, make the calls and read the answers. Four keep a GPU of the fastest kind busy. */
  threads: z
    .int()
    .min(1)
    .max(64)
    .default(Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)))),
  ...remoteOptions,
});

export default defineDriver({
  name: 'tokens',
  summary: 'A server of an uncased BERT model that takes token numbers: several times as fast as with text.',
  options,
  requires: [],
  async open(settings, context): Promise<Embedder> {
    const { url, model, binary, threads } = settings;
    const access = await obtainAccess({ url, model, settings }, context);
    const remote = await openRemote(access);
    const { guard } = remote;
    const maxTokens = Math.max(1, settings.max_tokens - remote.prefixTokens);
    const limits: EmbedderLimits = {
      batchTexts: 8192,
      batchTokens: Math.max(ownServerTokens, maxTokens),
      // Each thread has one call at the server and one in its own hands.
      concurrency: settings.concurrency ?? Math.max(4, 2 * threads),
      gainsFromSize: true,
    };
    const pool = createThreadPool({ access, limits, maxTokens, binary }, threads);
    // Several at once wait for the same thread: a second one is for work, not for getting ready.
    const loaded = once(() => pool.call({ texts: [], as: 'chunk', dimensions: undefined }));
    return remoteEmbedder(remote, {
      // The same vectors as those of the driver `openai`.
      fingerprint: spaceName(`openai:${placeOf(remote.address)}:${model}`, {
        ...settings,
        max_tokens: settings.max_tokens === bundledModel.windowTokens - 2 ? undefined : settings.max_tokens,
      }),
      facts: { answers: binary ? 'binary' : 'json', threads: `up to ${threads}` },
      limits: () => limits,
      maxTokens: () => maxTokens,
      async load() {
        remote.key();
        await loaded();
      },
      async embed(texts, { as, signal }) {
        // A key that is missing is reported without the detour.
        remote.key();
        const block = await pool.call({ texts, as, dimensions: guard.dimensions }, { signal });
        guard.admitLength(block.dimensions);
        return rowsOfBlock(block);
      },
      close: () => pool.close(),
    });
  },
});
