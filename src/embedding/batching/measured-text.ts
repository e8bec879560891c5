import type { Embedder } from '../../contracts/embedder.ts';
import type { TextToEmbed } from '../../contracts/vector-source.ts';

/** A text with what it costs the backend. */
export interface MeasuredText<Owner> {
  readonly text: string;
  readonly owner: Owner;
  /** Length of its longest row in the model, special tokens included. */
  readonly width: number;
  /** Rows it takes in the model: one, or as many windows as a long text has. */
  readonly rows: number;
  readonly bytes: number;
}

/** Learns what a text costs. */
export type Measure = <Owner>(given: TextToEmbed<Owner>) => MeasuredText<Owner>;

/** The marks that most models put around a text; they make even an empty text cost something. */
const specialTokens = 2;

/** Bytes of a token, roughly: good enough to put texts of like length together. */
const bytesPerToken = 4;

/** Tokens are counted only where a decision hangs on them: counting costs as much as the model's own first step. */
export function measureFor(embedder: Embedder): Measure {
  const { gainsFromSize, batchTokens } = embedder.limits;
  const needsTokens = gainsFromSize || batchTokens !== undefined;
  const maxTokens = Math.max(1, embedder.maxTokens);
  return ({ text, owner }) => {
    const bytes = Buffer.byteLength(text);
    const tokens = needsTokens ? embedder.countTokens(text) : bytes / bytesPerToken;
    const isLong = tokens > maxTokens;
    return {
      text,
      owner,
      width: (isLong ? maxTokens : tokens) + specialTokens,
      rows: isLong ? Math.ceil(tokens / maxTokens) : 1,
      bytes,
    };
  };
}
