import { workerData } from 'node:worker_threads';
import { serveCalls } from '../../../platform/threads/serve-calls.ts';
import { openRemote } from '../http/remote.ts';
import { createRowGuard } from '../http/rows.ts';
import { createEngine, type EngineSettings } from './engine.ts';
import type { EmbedRequest } from './thread-pool.ts';
import { blockOf, type VectorBlock } from './vector-block.ts';

/** A thread with an engine of its own: cutting texts and reading answers never block the process that asks. */
const settings = workerData as EngineSettings;
const { service, dimensions: asked } = settings.access;
const engine = createEngine(await openRemote(settings.access), settings);

serveCalls<EmbedRequest, VectorBlock>(async ({ texts, as, dimensions }, { signal }) => {
  // What came before is known to the process alone: another thread may have seen it.
  const guard = createRowGuard(service.host, asked, dimensions);
  const value = blockOf(await engine.embed(texts, { as, signal }, guard));
  return { value, transfer: [value.values.buffer] };
});
