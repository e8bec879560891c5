import { workerData } from 'node:worker_threads';
import { interrupted } from '../../../core/errors.ts';
import { whileBusy } from '../../../models/inference/busy-flag.ts';
import type { ModelThreadData } from '../../../models/inference/model-threads.ts';
import { once } from '../../../platform/once.ts';
import { serveCalls } from '../../../platform/threads/serve-calls.ts';
import { type Encoder, embedPieces, embedText, loadEncoder, loadTokenizer } from './encoder.ts';
import type { EncoderRequest } from './encoder-pool.ts';

/** The thread that holds the model: arithmetic never blocks the process that asks for it. */
const { model, hardware, flag } = workerData as ModelThreadData;
const { windowTokens, dimensions } = model.card;
const encoder = once(load);

serveCalls<EncoderRequest, Float32Array[]>(async ({ want, texts }, { signal }) => {
  const loaded = await encoder();
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    if (signal.aborted) throw interrupted();
    vectors.push(
      want === 'vectors'
        ? await embedText(loaded, text, windowTokens - 2)
        : await embedPieces(loaded, text, windowTokens - 2, dimensions),
    );
  }
  return { value: vectors, transfer: vectors.map((vector) => vector.buffer as ArrayBuffer) };
});

async function load(): Promise<Encoder> {
  const tokenizer = await loadTokenizer(model);
  const loaded = await whileBusy(flag, () => loadEncoder(model, tokenizer, hardware));
  return {
    tokenizer,
    encodeWindow: (pieces) => whileBusy(flag, () => loaded.encodeWindow(pieces)),
    encodePieces: (pieces) => whileBusy(flag, () => loaded.encodePieces(pieces)),
  };
}
