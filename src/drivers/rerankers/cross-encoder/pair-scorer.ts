import { QuarryError } from '../../../core/errors.ts';
import type { Hardware } from '../../../models/inference/device.ts';
import { loadModel } from '../../../models/inference/session.ts';
import type { InstalledModel } from '../../../models/model-card.ts';
import { readModelFile } from '../../../models/model-files.ts';
import { openTokenizer } from '../../../models/tokenizers/open-tokenizer.ts';
import { encodePair, pairFrameOf } from './pair-frame.ts';

/** A loaded cross-encoder. */
export interface PairScorer {
  /** How likely the chunk answers the query, from 0 to 1. */
  score(query: string, chunk: string): Promise<number>;
}

/** Loads tokenizer and weights. */
export async function loadPairScorer(model: InstalledModel, hardware: Hardware): Promise<PairScorer> {
  const file: unknown = JSON.parse(new TextDecoder().decode(await readModelFile(model, 'tokenizer.json')));
  const tokenizer = await openTokenizer(file);
  const frame = pairFrameOf(file, tokenizer);
  const loaded = await loadModel(model, hardware, { name: 'The cross-encoder', table: 'reranker' });
  const { outputNames } = loaded;
  const output = outputNames.includes('logits') ? 'logits' : (outputNames[0] ?? '');
  const { name, windowTokens } = model.card;
  return {
    async score(query, chunk) {
      const pair = encodePair(frame, tokenizer.encode(query), tokenizer.encode(chunk), windowTokens);
      const { values } = await loaded.run(pair.ids, pair.types, output);
      const [logit] = values;
      if (values.length !== 1 || logit === undefined) throw notOneNumber(name, values.length);
      if (!Number.isFinite(logit)) throw notFinite(name);
      return 1 / (1 + Math.exp(-logit));
    },
  };
}

function notOneNumber(name: string, count: number): QuarryError {
  return new QuarryError(
    'config-invalid',
    `The model ${name} gives ${count} numbers for a query and a chunk; a cross-encoder gives one.`,
    'Set reranker.model to a cross-encoder for ranking, exported with one logit.',
  );
}

function notFinite(name: string): QuarryError {
  return new QuarryError(
    'model-failed',
    `The model ${name} gives a score that is not a number.`,
    'Use weights of higher precision, or another model.',
  );
}
