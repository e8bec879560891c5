import { parentPort, workerData } from 'node:worker_threads';
import { asQuarryError } from '../../../core/errors.ts';
import { type Encoder, embedText, loadEncoder, loadTokenizer } from './encoder.ts';
import type { EncoderThreadData, FromThread, ToThread } from './encoder-protocol.ts';

/** The thread that holds the model: arithmetic never blocks the process that asks for it. */
const { card, folder, threads } = workerData as EncoderThreadData;
const cancelled = new Set<number>();
let encoder: Promise<Encoder> | undefined;

parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'cancel') cancelled.add(message.id);
  else void embedAll(message.id, message.texts);
});

async function embedAll(id: number, texts: readonly string[]): Promise<void> {
  try {
    encoder ??= loadTokenizer(card, folder).then((tokenizer) =>
      loadEncoder(card, folder, tokenizer, threads),
    );
    const loaded = await encoder;
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      if (cancelled.delete(id)) return;
      vectors.push(await embedText(loaded, text, card.windowTokens - 2));
    }
    reply(
      { type: 'vectors', id, vectors },
      vectors.map((vector) => vector.buffer as ArrayBuffer),
    );
  } catch (thrown) {
    const { code, message, remedy } = asQuarryError(thrown);
    reply({ type: 'failure', id, code, message, remedy });
  }
}

function reply(message: FromThread, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}
