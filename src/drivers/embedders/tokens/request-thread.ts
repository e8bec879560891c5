import { workerData } from 'node:worker_threads';
import { serveCalls } from '../../../platform/threads/serve-calls.ts';
import { openRemote } from '../http/remote.ts';
import { createRowGuard } from '../http/rows.ts';
import type { EmbedRequest } from './thread-pool.ts';
import { type CallerSettings, createTokenCaller } from './token-caller.ts';
import { blockOf, type VectorBlock } from './vector-block.ts';

/** A thread that calls the server: cutting texts and reading answers never block the process that asks. */
const settings = workerData as CallerSettings;
const { service, dimensions: asked } = settings.access;
const embed = createTokenCaller(await openRemote(settings.access), settings);

serveCalls<EmbedRequest, VectorBlock>(async ({ texts, as, dimensions }, { signal }) => {
  // What came before is known to the process alone: another thread may have seen it.
  const guard = createRowGuard(service.host, asked, dimensions);
  const value = blockOf(await embed(texts, { as, signal }, guard));
  return { value, transfer: [value.values.buffer] };
});
