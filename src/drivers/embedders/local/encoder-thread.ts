import { parentPort, workerData } from 'node:worker_threads';
import { asQuarryError } from '../../../core/errors.ts';
import { whileBusy } from './busy-flag.ts';
import { type Encoder, embedText, loadEncoder, loadTokenizer } from './encoder.ts';
import type { EncoderThreadData, FromThread, ToThread } from './encoder-protocol.ts';

/** The thread that holds the model: arithmetic never blocks the process that asks for it. */
const { model, hardware, flag } = workerData as EncoderThreadData;
const cancelled = new Set<number>();
let encoder: Promise<Encoder> | undefined;

parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'cancel') cancelled.add(message.id);
  else void embedAll(message.id, message.texts);
});

async function embedAll(id: number, texts: readonly string[]): Promise<void> {
  try {
    encoder ??= load();
    const loaded = await encoder;
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      if (cancelled.delete(id)) return reply({ type: 'cancelled', id });
      vectors.push(await embedText(loaded, text, model.card.windowTokens - 2));
    }
    reply(
      { type: 'vectors', id, vectors },
      vectors.map((vector) => vector.buffer as ArrayBuffer),
    );
  } catch (thrown) {
    const { code, message, remedy } = asQuarryError(thrown);
    reply({ type: 'failure', id, code, message, remedy });
  } finally {
    cancelled.delete(id);
  }
}

async function load(): Promise<Encoder> {
  const tokenizer = await loadTokenizer(model);
  const loaded = await whileBusy(flag, () => loadEncoder(model, tokenizer, hardware));
  return { tokenizer, encodeWindow: (pieces) => whileBusy(flag, () => loaded.encodeWindow(pieces)) };
}

function reply(message: FromThread, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}
