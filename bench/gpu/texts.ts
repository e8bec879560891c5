import { readFileSync } from 'node:fs';
import { draws } from '../../src/core/draws.ts';
import { bundledTokenizer } from '../../src/models/tokenizers/bundled.ts';
import type { TextTokenizer } from '../../src/models/tokenizers/wordpiece.ts';

/** How long texts are, in tokens without the two special ones. */
export type LengthMix = 'mixed' | 'short' | 'long';

const tokenizerPath = new URL('../../models/all-MiniLM-L6-v2/tokenizer.json', import.meta.url);
const tokenizerFile = JSON.parse(readFileSync(tokenizerPath, 'utf8')) as {
  readonly model: { readonly vocab: Readonly<Record<string, number>> };
};

/** The tokenizer that the server uses too. */
export const wordPiece: TextTokenizer = bundledTokenizer();

/** The same texts for the same seed: prose with names, numbers, code words and now and then a letter beyond ASCII. */
export function textsOf(count: number, mix: LengthMix, seed = 1): string[] {
  const random = draws(seed);
  const words = lexicon();
  return Array.from({ length: count }, () => oneText(wantedTokens(mix, random), words, random));
}

/** A log-normal spread for `mixed` (8 to 250, mean near 60), a narrow one around 30 or 128 otherwise. */
function wantedTokens(mix: LengthMix, random: () => number): number {
  if (mix === 'short') return 26 + Math.floor(random() * 5);
  if (mix === 'long') return 122 + Math.floor(random() * 9);
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(248, Math.max(8, Math.round(Math.exp(3.85 + 0.68 * normal))));
}

/** Words in the order of their frequency, as the vocabulary lists them. */
function lexicon(): readonly string[] {
  return Object.entries(tokenizerFile.model.vocab)
    .sort((one, other) => one[1] - other[1])
    .map(([word]) => word)
    .filter((word) => /^[a-z]{2,}$/.test(word));
}

const sizes = new Map<string, number>();

function tokensOf(word: string): number {
  const known = sizes.get(word);
  if (known !== undefined) return known;
  const size = wordPiece.encode(word).length;
  if (sizes.size < 100_000) sizes.set(word, size);
  return size;
}

function oneText(wanted: number, words: readonly string[], random: () => number): string {
  const parts: string[] = [];
  let opensSentence = true;
  for (let tokens = 0; tokens < wanted; ) {
    let word = drawWord(words, random);
    if (opensSentence) word = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
    opensSentence = random() < 0.07;
    if (opensSentence) word += '.';
    else if (random() < 0.06) word += ',';
    tokens += tokensOf(word);
    parts.push(word);
  }
  // A flat string, as one read from a file is: ropes would be flattened inside what is measured.
  return Buffer.from(parts.join(' ')).toString();
}

function drawWord(words: readonly string[], random: () => number): string {
  const kind = random();
  if (kind < 0.02) return String(Math.floor(random() * 10_000));
  const word = wordAt(words, random);
  if (kind < 0.05) return `${word}${capital(wordAt(words, random))}`;
  if (kind < 0.051) return `${word}é`;
  return word;
}

/** Common words far more often than rare ones, as in natural text. */
function wordAt(words: readonly string[], random: () => number): string {
  return words[Math.floor(words.length ** random()) - 1] ?? 'the';
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
