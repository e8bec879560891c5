import type { SketchedVectors } from '../../../contracts/embedder.ts';
import { interrupted } from '../../../core/errors.ts';
import { sketchOf } from '../../../core/vectors/token-sketch.ts';
import { whileBusy } from '../../../models/inference/busy-flag.ts';
import type { ModelThreadData } from '../../../models/inference/model-threads.ts';
import { ShortestFirst } from '../../../models/inference/shortest-first.ts';
import { once } from '../../../platform/once.ts';
import { serveCalls, threadData } from '../../../platform/threads/serve-calls.ts';
import {
  type EncodedText,
  type Encoder,
  encodeText,
  loadEncoder,
  loadTokenizer,
  noTokenVectors,
} from './encoder.ts';
import type { EncoderRequest } from './encoder-pool.ts';
import { joinTokenRows } from './token-rows.ts';

/** The thread that holds the model: arithmetic never blocks the process that asks for it. */
const { model, hardware, flag } = threadData<ModelThreadData>();
const { windowTokens, dimensions } = model.card;
const encoder = once(load);
const turns = new ShortestFirst();
/** What was encoded last: a reranker asks for the tokens of a query right after its vector was made. */
let last: { readonly text: string; readonly pieces: EncodedText['pieces'] } | undefined;

serveCalls<EncoderRequest, SketchedVectors>(async ({ want, texts }, { signal }) => {
  const loaded = await encoder();
  const vectors: Float32Array[] = [];
  const sketches: Uint8Array[] = [];
  for (const [place, text] of texts.entries()) {
    const encoded = () => turns.run(texts.length - place, () => encode(loaded, text, signal));
    if (want === 'token-vectors') {
      const { pieces } = last?.text === text ? last : await encoded();
      if (!pieces) throw noTokenVectors(model.card);
      vectors.push(joinTokenRows(pieces, dimensions));
      continue;
    }
    const { vector, pieces = [] } = await encoded();
    vectors.push(vector);
    if (want === 'vectors-and-sketches') sketches.push(sketchOf(pieces, dimensions));
  }
  const made = [...vectors, ...sketches];
  return { value: { vectors, sketches }, transfer: made.map(({ buffer }) => buffer as ArrayBuffer) };
});

async function encode(loaded: Encoder, text: string, signal: AbortSignal): Promise<EncodedText> {
  if (signal.aborted) throw interrupted();
  const encoded = await encodeText(loaded, text, windowTokens - 2);
  last = { text, pieces: encoded.pieces };
  return encoded;
}

async function load(): Promise<Encoder> {
  const tokenizer = await loadTokenizer(model);
  const loaded = await whileBusy(flag, () => loadEncoder(model, tokenizer, hardware));
  return { tokenizer, encodeWindow: (pieces) => whileBusy(flag, () => loaded.encodeWindow(pieces)) };
}
