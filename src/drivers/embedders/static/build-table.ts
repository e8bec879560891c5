import type { InferenceSession, Tensor } from 'onnxruntime-common';
import { QuarryError } from '../../../core/errors.ts';
import { loadRuntime } from '../../../models/inference/runtime.ts';
import type { InstalledModel } from '../../../models/model-card.ts';
import { readModelFile } from '../../../models/model-files.ts';
import type { TokenizerFile } from '../../../models/tokenizers/wordpiece.ts';
import { quantise, type TokenTable } from './token-table.ts';

/** Counted up whenever the same model gives other tables than before. */
export const recipe = 1;

/** The first word of the vocabulary; from here on pieces are in the order of how often they are used. */
const firstWord = 'the';
/** Place among the words at which one counts half; rarer ones say more about a text and count nearly whole. */
const halfWeightPlace = 180;
/** Added to each place, so that the few most frequent words weigh little rather than nothing. */
const placeShift = 2.7;

/**
 * Distils a model into one vector for each piece of its vocabulary: what the model makes of the piece when it is
 * alone, less what all pieces have in common, weighted by how rare it is. There is no projection on main components:
 * small differences between processors turn their axes, and the vectors of two machines would grow apart.
 */
export async function buildTable(model: InstalledModel, mostPieces = Infinity): Promise<TokenTable> {
  const file = JSON.parse(
    new TextDecoder().decode(await readModelFile(model, 'tokenizer.json')),
  ) as TokenizerFile;
  const { vocab } = file.model;
  const count = Math.min(Object.keys(vocab).length, mostPieces);
  const weights = pieceWeights(vocab, count);
  const rows = await pieceRows(model, vocab, weights);
  const centre = meanOf(
    rows.filter((_, piece) => weights[piece] !== 0),
    model.card.dimensions,
  );
  const weighted = rows.map((row, piece) => {
    const weight = weights[piece] ?? 0;
    return row.map((value, column) => weight * (value - (centre[column] ?? 0)));
  });
  return quantise(weighted, model.card.dimensions);
}

/**
 * The weight of each piece from its place in the vocabulary. Marks and single characters come before the words and
 * weigh as little as the most frequent one; special and unused entries weigh nothing.
 */
export function pieceWeights(vocabulary: TokenizerFile['model']['vocab'], count: number): Float64Array {
  const before = (vocabulary[firstWord] ?? 0) - 1;
  const weights = new Float64Array(count);
  for (const [text, piece] of Object.entries(vocabulary)) {
    if (piece >= count || /^\[.+\]$/.test(text)) continue;
    const place = Math.max(1, piece - before) + placeShift;
    weights[piece] = place / (place + halfWeightPlace);
  }
  return weights;
}

/** What the model gives for each piece alone between its special tokens; zeros for those without a weight. */
async function pieceRows(
  model: InstalledModel,
  vocabulary: TokenizerFile['model']['vocab'],
  weights: Float64Array,
): Promise<Float32Array[]> {
  const [runtime, bytes] = await Promise.all([
    loadRuntime('The static embedder'),
    readModelFile(model, 'model.onnx'),
  ]);
  const session = await runtime.InferenceSession.create(bytes, {
    intraOpNumThreads: 1,
    graphOptimizationLevel: 'all',
  });
  const { dimensions } = model.card;
  const rows: Float32Array[] = [];
  try {
    for (const [piece, weight] of weights.entries()) {
      if (weight === 0) {
        rows.push(new Float32Array(dimensions));
        continue;
      }
      // One piece at a time: int8 weights scale activations over the whole batch.
      const ids = [vocabulary['[CLS]'] ?? 0, piece, vocabulary['[SEP]'] ?? 0];
      const { last_hidden_state: output } = await session.run(feeds(runtime.Tensor, ids));
      if (!output) throw withoutTokenVectors(model);
      rows.push((output.data as Float32Array).slice(dimensions, 2 * dimensions));
    }
  } finally {
    await session.release();
  }
  return rows;
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

function meanOf(rows: readonly Float32Array[], dimensions: number): Float64Array {
  const mean = new Float64Array(dimensions);
  for (const row of rows) {
    row.forEach((value, column) => {
      mean[column] = (mean[column] as number) + value / rows.length;
    });
  }
  return mean;
}
