import type { EmbedderLimits, EmbeddingRole, EmbedOptions } from '../../../contracts/embedder.ts';
import type { TextTokenizer } from '../../../models/tokenizers/wordpiece.ts';
import { combineWindows, windowsOf } from '../windows.ts';
import type { TokenRows } from './token-rows.ts';

/** What decides how tokens are sent. */
export interface TokenService {
  readonly tokenizer: TextTokenizer;
  readonly prefixes: Readonly<Record<EmbeddingRole, string>>;
  readonly limits: EmbedderLimits;
  /** Most pieces of a text in one row, prefix and special tokens not counted. */
  readonly maxTokens: number;
  /** Unit vectors for rows that fit one request. */
  request(rows: TokenRows, options: EmbedOptions): Promise<Float32Array[]>;
}

/** A text that takes several rows. */
interface LongText {
  readonly text: number;
  readonly firstRow: number;
  readonly rows: number;
}

/** One unit vector per text; this process cuts texts into word pieces, and longer ones into windows. */
export async function embedTokens(
  { tokenizer, prefixes, limits, maxTokens, request }: TokenService,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<Float32Array[]> {
  const pieces: (readonly number[])[] = [];
  const long: LongText[] = [];
  for (let text = 0; text < texts.length; text += 1) {
    const own = tokenizer.encode(texts[text] as string);
    if (own.length <= maxTokens) pieces.push(own);
    else {
      const windows = windowsOf(own, maxTokens);
      long.push({ text, firstRow: pieces.length, rows: windows.length });
      pieces.push(...windows);
    }
  }
  const prefix = tokenizer.encode(prefixes[options.as]);
  const { startId, endId } = tokenizer;
  const vectors: Float32Array[] = [];
  for (let start = 0; start < pieces.length; start += limits.batchTexts) {
    const part =
      start === 0 && pieces.length <= limits.batchTexts
        ? pieces
        : pieces.slice(start, start + limits.batchTexts);
    const rows = { count: part.length, pieces: part, prefix, startId, endId };
    const answered = await request(rows, options);
    if (part === pieces && long.length === 0) return answered;
    for (const vector of answered) vectors.push(vector);
  }
  return joinWindows(vectors, pieces, long);
}

/** Rows of long texts become one vector each; the others stay as they are. */
function joinWindows(
  vectors: readonly Float32Array[],
  pieces: readonly (readonly number[])[],
  long: readonly LongText[],
): Float32Array[] {
  const joined: Float32Array[] = [];
  let row = 0;
  for (const { firstRow, rows } of long) {
    while (row < firstRow) joined.push(vectors[row++] as Float32Array);
    const end = firstRow + rows;
    const lengths = pieces.slice(firstRow, end).map((window) => window.length + 2);
    joined.push(combineWindows(vectors.slice(firstRow, end), lengths));
    row = end;
  }
  while (row < vectors.length) joined.push(vectors[row++] as Float32Array);
  return joined;
}
