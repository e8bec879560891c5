import { workerData } from 'node:worker_threads';
import type { SketchedVectors } from '../../../contracts/embedder.ts';
import { interrupted } from '../../../core/errors.ts';
import { sketchOf } from '../../../core/token-sketch.ts';
import { whileBusy } from '../../../models/inference/busy-flag.ts';
import type { ModelThreadData } from '../../../models/inference/model-threads.ts';
import { once } from '../../../platform/once.ts';
import { serveCalls } from '../../../platform/threads/serve-calls.ts';
import { type Encoder, encodeText, loadEncoder, loadTokenizer, noTokenVectors } from './encoder.ts';
import type { EncoderRequest } from './encoder-pool.ts';
import { joinTokenRows } from './token-rows.ts';

/** The thread that holds the model: arithmetic never blocks the process that asks for it. */
const { model, hardware, flag } = workerData as ModelThreadData;
const { windowTokens, dimensions } = model.card;
const encoder = once(load);

serveCalls<EncoderRequest, SketchedVectors>(async ({ want, texts }, { signal }) => {
  const loaded = await encoder();
  const vectors: Float32Array[] = [];
  const sketches: Uint8Array[] = [];
  for (const text of texts) {
    if (signal.aborted) throw interrupted();
    const { vector, pieces } = await encodeText(loaded, text, windowTokens - 2);
    if (want === 'token-vectors' && !pieces) throw noTokenVectors(model.card);
    vectors.push(want === 'token-vectors' ? joinTokenRows(pieces ?? [], dimensions) : vector);
    if (want === 'vectors-and-sketches') sketches.push(sketchOf(pieces ?? [], dimensions));
  }
  const made = [...vectors, ...sketches];
  return { value: { vectors, sketches }, transfer: made.map(({ buffer }) => buffer as ArrayBuffer) };
});

async function load(): Promise<Encoder> {
  const tokenizer = await loadTokenizer(model);
  const loaded = await whileBusy(flag, () => loadEncoder(model, tokenizer, hardware));
  return { tokenizer, encodeWindow: (pieces) => whileBusy(flag, () => loaded.encodeWindow(pieces)) };
}
