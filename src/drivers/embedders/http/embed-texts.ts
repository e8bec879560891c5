import type { EmbedderLimits, EmbeddingRole, EmbedOptions } from '../../../contracts/embedder.ts';
import type { QuarryError } from '../../../core/errors.ts';
import type { TextTokenizer } from '../../../models/tokenizers/wordpiece.ts';
import type { Refusal } from '../../../platform/http/refusal.ts';
import { combineWindows } from '../windows.ts';
import { sendable, type TextWindow, textWindows } from './text-windows.ts';

/** A service that takes texts, as far as `embedTexts` must know it. */
export interface TextService {
  readonly limits: EmbedderLimits;
  /** Most tokens of a text in one vector, what is put before it not counted. */
  readonly windowTokens: number;
  readonly tokenizer: TextTokenizer;
  /** Put before each text, as the model was trained. */
  readonly prefixes: Readonly<Record<EmbeddingRole, string>>;
  /** Unit vectors for texts that fit one request, or why it was too much; fails for any other reason. */
  request(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[] | TooMuch>;
}

/** A refusal that smaller requests may avoid. */
export type TooMuch = Refusal & { readonly tooMuch: 'text' | 'call' };

/** Fewer tokens than these are not halved once more: the service refuses something else than their number. */
const minTokens = 8;

/** One unit vector per text, however long: what does not fit the model is seen in windows, and nothing is cut off. */
export async function embedTexts(
  service: TextService,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<Float32Array[]> {
  const windowed = texts.map((text) => textWindows(sendable(text), service.windowTokens, service.tokenizer));
  const windows = windowed.flat();
  const vectors: Float32Array[] = [];
  // A call with several texts that is too large is for the caller to divide.
  const mayDivide = texts.length === 1;
  for (const slice of slicesOf(windows, service.limits)) {
    vectors.push(...(await embedSlice(service, slice, options, mayDivide)));
  }
  if (vectors.length === texts.length) return vectors;
  let next = 0;
  return windowed.map((own) => {
    const part = vectors.slice(next, next + own.length);
    next += own.length;
    return joined(part, own);
  });
}

/** Windows in requests that keep to the limits; one window may be more than the limit alone. */
function slicesOf(windows: readonly TextWindow[], limits: EmbedderLimits): TextWindow[][] {
  const slices: TextWindow[][] = [];
  let tokens = 0;
  for (const window of windows) {
    const slice = slices.at(-1);
    tokens += window.tokens;
    if (
      slice &&
      slice.length < limits.batchTexts &&
      tokens <= (limits.batchTokens ?? Number.POSITIVE_INFINITY)
    ) {
      slice.push(window);
    } else {
      slices.push([window]);
      tokens = window.tokens;
    }
  }
  return slices;
}

/** Looks for the window that is too long for the service by its own count, and divides that one alone. */
async function embedSlice(
  service: TextService,
  slice: readonly TextWindow[],
  options: EmbedOptions,
  mayDivide: boolean,
): Promise<Float32Array[]> {
  const prefix = service.prefixes[options.as];
  const answer = await service.request(
    slice.map(({ text }) => prefix + text),
    options,
  );
  if (Array.isArray(answer)) return answer;
  const [first] = slice;
  if (answer.tooMuch === 'call' && (!mayDivide || slice.length === 1)) throw answer.error;
  if (first && slice.length === 1) return [await embedHalves(service, first, options, answer.error)];
  const middle = Math.ceil(slice.length / 2);
  return [
    ...(await embedSlice(service, slice.slice(0, middle), options, mayDivide)),
    ...(await embedSlice(service, slice.slice(middle), options, mayDivide)),
  ];
}

async function embedHalves(
  service: TextService,
  window: TextWindow,
  options: EmbedOptions,
  error: QuarryError,
): Promise<Float32Array> {
  // A tokenizer other than the model's may be far off: the text's own length is halved, not the model's limit.
  let half = Math.floor(Math.min(window.tokens, service.windowTokens) / 2);
  for (; half >= minTokens; half = Math.floor(half / 2)) {
    const parts = textWindows(window.text, half, service.tokenizer);
    if (parts.length > 1) return joined(await embedSlice(service, parts, options, true), parts);
  }
  throw error;
}

function joined(vectors: readonly Float32Array[], windows: readonly TextWindow[]): Float32Array {
  const [only] = vectors;
  if (only && vectors.length === 1) return only;
  return combineWindows(
    vectors,
    windows.map(({ tokens }) => tokens),
  );
}
