import type { SketchedVectors } from '../../../contracts/embedder.ts';
import { interrupted } from '../../../core/errors.ts';
import { sketchOf } from '../../../core/vectors/token-sketch.ts';
import { whileBusy } from '../../../models/inference/busy-flag.ts';
import type { ModelCall, ModelThreadData } from '../../../models/inference/model-threads.ts';
import { perModel } from '../../../models/inference/per-model.ts';
import { ShortestFirst } from '../../../models/inference/shortest-first.ts';
import type { InstalledModel } from '../../../models/model-card.ts';
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

/** The thread that holds the models: arithmetic never blocks the process that asks for it. */
const { hardware, flag } = threadData<ModelThreadData>();
const encoderOf = perModel(load);
const turns = new ShortestFirst();
/** What was encoded last: a reranker asks for the tokens of a query right after its vector was made. */
let last: { readonly by: Encoder; readonly text: string; readonly pieces: EncodedText['pieces'] } | undefined;

serveCalls<ModelCall<EncoderRequest>, SketchedVectors>(async ({ model, request }, { signal }) => {
  const { want, texts } = request;
  const { windowTokens, dimensions } = model.card;
  const loaded = await encoderOf(model);
  const vectors: Float32Array[] = [];
  const sketches: Uint8Array[] = [];
  for (const [place, text] of texts.entries()) {
    const encoded = () => turns.run(texts.length - place, () => encode(loaded, text, windowTokens, signal));
    if (want === 'token-vectors') {
      const { pieces } = last?.by === loaded && last.text === text ? last : await encoded();
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

async function encode(
  loaded: Encoder,
  text: string,
  windowTokens: number,
  signal: AbortSignal,
): Promise<EncodedText> {
  if (signal.aborted) throw interrupted();
  const encoded = await encodeText(loaded, text, windowTokens - 2);
  last = { by: loaded, text, pieces: encoded.pieces };
  return encoded;
}

async function load(model: InstalledModel): Promise<Encoder> {
  const tokenizer = await loadTokenizer(model);
  // In turn as everything that calls the runtime: the flag knows of one call at a time.
  const loaded = await turns.run(0, () => whileBusy(flag, () => loadEncoder(model, tokenizer, hardware)));
  return { tokenizer, encodeWindow: (pieces) => whileBusy(flag, () => loaded.encodeWindow(pieces)) };
}
