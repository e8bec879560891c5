import type { InferenceSession, Tensor } from 'onnxruntime-common';
import { QuarryError } from '../../../core/errors.ts';
import { loadRuntime } from '../../../models/inference/runtime.ts';
import type { InstalledModel } from '../../../models/model-card.ts';
import { readModelFile } from '../../../models/model-files.ts';
import type { TokenizerFile } from '../../../models/tokenizers/wordpiece.ts';
import { centre } from './centre.ts';

/** Counted up whenever the same model gives other rows than before. */
export const recipe = 2;

/** The first word of the vocabulary; from here on pieces are in the order of how often they are used. */
const firstWord = 'the';
/** Place among the words at which one counts half; rarer ones say more about a text and count nearly whole. */
const halfWeightPlace = 180;
/** Added to each place, so that the few most frequent words weigh little rather than nothing. */
const placeShift = 2.7;

/** Gives the row of one piece: what the model makes of it alone, less what all pieces have in common, times its weight. */
export type DistilPiece = (piece: number) => Promise<Float32Array>;

/**
 * Loads the model to distil pieces. There is no projection on main components: small differences between processors turn
 * their axes, and the vectors of two machines would grow apart.
 */
export async function openDistiller(
  model: InstalledModel,
  vocabulary: TokenizerFile['model']['vocab'],
  weights: Float64Array,
): Promise<DistilPiece> {
  const [runtime, bytes] = await Promise.all([
    loadRuntime('The static embedder'),
    readModelFile(model, 'model.onnx'),
  ]);
  const session = await runtime.InferenceSession.create(bytes, {
    intraOpNumThreads: 1,
    graphOptimizationLevel: 'all',
  });
  const { dimensions } = model.card;
  return async (piece) => {
    // One piece at a time: int8 weights scale activations over the whole batch.
    const ids = [vocabulary['[CLS]'] ?? 0, piece, vocabulary['[SEP]'] ?? 0];
    const { last_hidden_state: output } = await session.run(feeds(runtime.Tensor, ids));
    if (!output) throw withoutTokenVectors(model);
    const row = (output.data as Float32Array).slice(dimensions, 2 * dimensions);
    const weight = weights[piece] ?? 0;
    return row.map((value, column) => weight * (value - (centre[column] ?? 0)));
  };
}

/**
 * The weight of each piece from its place in the vocabulary. Marks and single characters come before the words and
 * weigh as little as the most frequent one; special and unused entries weigh nothing.
 */
export function pieceWeights(vocabulary: TokenizerFile['model']['vocab']): Float64Array {
  const before = (vocabulary[firstWord] ?? 0) - 1;
  const weights = new Float64Array(Object.keys(vocabulary).length);
  for (const [text, piece] of Object.entries(vocabulary)) {
    if (/^\[.+\]$/.test(text)) continue;
    const place = Math.max(1, piece - before) + placeShift;
    weights[piece] = place / (place + halfWeightPlace);
  }
  return weights;
}

function withoutTokenVectors({ card }: InstalledModel): QuarryError {
  return new QuarryError(
    'model-corrupt',
    `The model ${card.name} gives no vectors for single tokens.`,
    'Install the package again.',
  );
}

function feeds(TensorOf: typeof Tensor, ids: readonly number[]): InferenceSession.FeedsType {
  const tensor = (data: BigInt64Array) => new TensorOf('int64', data, [1, ids.length]);
  return {
    input_ids: tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  };
}
