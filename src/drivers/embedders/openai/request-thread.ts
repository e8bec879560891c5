import { parentPort, workerData } from 'node:worker_threads';
import type { EmbedOptions } from '../../../contracts/embedder.ts';
import { asQuarryError } from '../../../core/errors.ts';
import { openRemote } from '../http/remote.ts';
import { createRowGuard } from '../http/rows.ts';
import { createEngine, type EngineSettings } from './engine.ts';
import { blockOf, type FromThread, type ToThread } from './thread-protocol.ts';

/** A thread with an engine of its own: cutting texts and reading answers never block the process that asks. */
const settings = workerData as EngineSettings;
const { service, dimensions: asked } = settings.access;
const engine = createEngine(await openRemote(settings.access), settings);
const running = new Map<number, AbortController>();

parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'embed') void answer(message);
  else running.get(message.id)?.abort();
});
tell({ type: 'ready' });

async function answer({ id, texts, as, dimensions }: ToThread & { type: 'embed' }): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const options: EmbedOptions = { as, signal: controller.signal };
    // What came before is known to the process alone: another thread may have seen it.
    const guard = createRowGuard(service.host, asked, dimensions);
    const vectors = blockOf(await engine.embed(texts, options, guard));
    tell({ type: 'vectors', id, vectors }, [vectors.values.buffer]);
  } catch (thrown) {
    const { code, message, remedy, retryAfter } = asQuarryError(thrown);
    tell({ type: 'failure', id, code, message, remedy, retryAfter });
  } finally {
    running.delete(id);
  }
}

function tell(message: FromThread, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}
