import type { EmbeddingRole } from '../../../contracts/embedder.ts';
import { QuarryError } from '../../../core/errors.ts';
import { threadFile } from '../../../platform/package-folder.ts';
import { createSharedThreads, type SharedThreads } from '../../../platform/threads/shared-threads.ts';
import type { Death } from '../../../platform/threads/thread.ts';
import type { CallerSettings } from './token-caller.ts';
import type { VectorBlock } from './vector-block.ts';

/** Texts for a thread. */
export interface EmbedRequest {
  readonly texts: readonly string[];
  readonly as: EmbeddingRole;
  /** Length of the vectors that came before, to any thread. */
  readonly dimensions: number | undefined;
}

/** Threads that share the calls of one embedder, at most so many. */
export function createThreadPool(
  settings: CallerSettings,
  most: number,
): SharedThreads<EmbedRequest, VectorBlock> {
  return createSharedThreads(most, () => ({
    file: threadFile('drivers/embedders/tokens/request-thread'),
    // The key travels here and nowhere else: neither arguments nor environment of the thread hold it.
    data: settings,
    resourceLimits: {
      // When it starts, the runtime matches the command line with a pattern that recurses once for each character: a
      // long query overflows an ordinary stack. The size is reserved, not used.
      stackSizeMb: 256,
      // What a call leaves behind is garbage at once: room for more of it makes the process larger and nothing faster.
      maxYoungGenerationSizeMb: 24,
    },
    describeDeath: crashed,
  }));
}

/** A thread that broke over its texts blames them, so that they are tried in smaller calls; one that never began cannot. */
function crashed({ reason, wasReady }: Death): QuarryError {
  return new QuarryError(
    wasReady ? 'embedding-failed' : 'provider-unreachable',
    `A thread that calls the embedding server stopped: ${reason}.`,
    'Run the command again; if it happens again, set embedder.threads to 1.',
  );
}
