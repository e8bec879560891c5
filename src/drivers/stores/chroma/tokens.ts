import { wordFrequencies } from '../words.ts';

/** Stands before each word; no word holds it. */
const mark = '\u0001';
/** Weighted frequencies from which on a word has one more sign behind it. */
const levels = [3, 7] as const;

/**
 * What Chroma holds of the words of a chunk: each once, behind a mark and before its weighted frequency. Chroma looks for parts of
 * texts and knows no words: with mark and sign the part is exactly one word, of a least frequency if need be.
 */
export function wordTokens(lines: string): string {
  return [...wordFrequencies(lines)]
    .map(([word, frequency]) => `${wordToken(word, levelOf(frequency))}${frequency}`)
    .join('');
}

/** The part of a text by which chunks with this word are found, at a level of frequency or above. */
export function wordToken(word: string, level = 0): string {
  return `${mark}${word}=${'+'.repeat(level)}`;
}

/** The least weighted frequency at a level. */
export function leastFrequency(level: number): number {
  return levels[level - 1] ?? 1;
}

/** How often words stand in a chunk, read from its tokens; those that do not stand there are left out. */
export function frequenciesIn(tokens: string, words: Iterable<string>): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const word of words) {
    const token = wordToken(word);
    const place = tokens.indexOf(token);
    if (place === -1) continue;
    const start = place + token.length;
    const end = tokens.indexOf(mark, start);
    frequencies.set(word, Number(tokens.slice(start, end === -1 ? undefined : end).replaceAll('+', '')));
  }
  return frequencies;
}

function levelOf(frequency: number): number {
  return levels.filter((level) => frequency >= level).length;
}
