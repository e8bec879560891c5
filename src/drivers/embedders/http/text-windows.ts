import type { TextTokenizer } from '../../../models/tokenizers/wordpiece.ts';
import { windowsOf } from '../windows.ts';

/** A stretch of a text that fits the window of a model. */
export interface TextWindow {
  readonly text: string;
  /** Its length in tokens, as far as another tokenizer than the model's can count. */
  readonly tokens: number;
}

/** Longest run of characters that is never cut; what has no white space is cut after as many. */
const maxRun = 40;

/** Characters that are looked at in any case; fewer would gain nothing. */
const minLook = 32;

/** Bytes for each token of a window beyond which a text is not worth looking at: it is cut anyway. */
const hopelessBytes = 16;

/** White space that no tokenizer joins words across. */
const gap = /[ \t\r\n]/g;

/**
 * A text as services accept it: well-formed, because half a surrogate pair is no UTF-8; without NUL, at which some
 * stop reading; and never blank, because most refuse a text with nothing in it.
 */
export function sendable(text: string): string {
  const wellFormed = text.toWellFormed();
  const whole = wellFormed.includes('\0') ? wellFormed.replaceAll('\0', ' ') : wellFormed;
  return /\S/.test(whole) ? whole : '.';
}

/** Windows that cover a text, each of at most so many tokens; cut at white space where there is some. */
export function textWindows(text: string, windowTokens: number, tokenizer: TextTokenizer): TextWindow[] {
  if (surelyFits(text, windowTokens, tokenizer)) return [{ text, tokens: Math.max(1, estimateTokens(text)) }];
  return cut(text, windowTokens, tokenizer);
}

/**
 * Whether a text has no more tokens than a window. It is cut only as far as the answer needs: no tokenizer makes more
 * tokens than there are bytes, so that the rest counts as many as it has bytes.
 */
function surelyFits(text: string, windowTokens: number, tokenizer: TextTokenizer): boolean {
  let max = Buffer.byteLength(text);
  if (max > windowTokens * hopelessBytes) return false;
  for (let start = 0; max > windowTokens; ) {
    if (start === text.length) return false;
    const end = nextGap(text, start + minLook + (max - windowTokens));
    const part = text.slice(start, end);
    const pieces = tokenizer.encode(part);
    if (pieces.includes(unknownPiece(tokenizer))) return false;
    max -= Buffer.byteLength(part) - pieces.length;
    start = end;
  }
  return true;
}

/** The first white space from here on, where a cut changes no token; otherwise the end. */
function nextGap(text: string, from: number): number {
  gap.lastIndex = from;
  return gap.exec(text)?.index ?? text.length;
}

function cut(text: string, windowTokens: number, tokenizer: TextTokenizer): TextWindow[] {
  const unknown = unknownPiece(tokenizer);
  const run = Math.max(1, Math.min(maxRun, Math.floor(windowTokens / 4)));
  const ends: number[] = [];
  /** For each token the number of the run that it belongs to. */
  const owners: number[] = [];
  let largest = 1;
  for (const match of text.matchAll(new RegExp(`\\s*\\S{1,${run}}`, 'gu'))) {
    const tokens = tokensOfRun(match[0], tokenizer, unknown);
    largest = Math.max(largest, tokens);
    for (let token = 0; token < tokens; token += 1) owners.push(ends.length);
    ends.push(match.index + match[0].length);
  }
  if (owners.length <= windowTokens) return [{ text, tokens: Math.max(1, owners.length) }];
  // A window that begins or ends inside a run includes the whole run.
  const size = Math.max(1, windowTokens - 2 * (largest - 1));
  return windowsOf(owners, size).map((window) => {
    const first = window[0] ?? 0;
    const last = window.at(-1) ?? 0;
    const end = last === ends.length - 1 ? text.length : ends[last];
    return { text: text.slice(first === 0 ? 0 : ends[first - 1], end), tokens: window.length };
  });
}

/** What the tokenizer does not know, another one spells out byte by byte. */
function tokensOfRun(run: string, tokenizer: TextTokenizer, unknown: number): number {
  const pieces = tokenizer.encode(run);
  const spelled = pieces.includes(unknown) ? Math.ceil(Buffer.byteLength(run.trimStart()) / 2) : 0;
  return Math.max(1, pieces.length, spelled);
}

const unknownPieces = new WeakMap<TextTokenizer, number>();

/** The number of any word the tokenizer cannot cut. */
function unknownPiece(tokenizer: TextTokenizer): number {
  const known = unknownPieces.get(tokenizer);
  if (known !== undefined) return known;
  const found = tokenizer.encode('x'.repeat(1000))[0] ?? -1;
  unknownPieces.set(tokenizer, found);
  return found;
}

/**
 * UTF-8 bytes of a token: between prose, which has near 5 of them, and source code, which has near 3, as word pieces and
 * byte pairs cut them alike. Counted in bytes, scripts whose every character is a token come out near the truth too.
 */
const bytesPerToken = 4;

/**
 * About how many tokens a text has, without cutting it. The model is elsewhere and cuts by rules of its own, so that an
 * exact count by other rules is an estimate too, and costs more than the whole rest of a call.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
