import { stemmer } from 'stemmer';
import type { Chunk } from '../../core/chunk.ts';
import type { DocumentRecord } from '../../core/document.ts';
import { terms } from '../../core/text/terms.ts';

// As FTS5 of the default store has them, so that engines without a ranking of fields rank alike.
export const saturation = 1.2;
export const lengthWeight = 0.75;
/** The weight of a word in half of all chunks or more. */
const minRarity = 1e-6;
/** A word counts more where an author names something than where it is merely used. */
export const fieldWeights = { body: 1, heading: 1.5, path: 1.5, symbol: 3 } as const;
const weights = Object.values(fieldWeights);
/** Shorter and longer words have no ending to cut off: the same bounds as in the default store. */
const stemmed = /^[a-z]{3,64}$/;

/** A part of what a chunk is found by. */
export type Field = keyof typeof fieldWeights;

/** What a chunk is found by: the words of its body, headings, path and symbol, a line each. */
export interface ChunkWords {
  readonly lines: string;
  /** Number of words, repetitions included. */
  readonly length: number;
}

/** A word of a query: how often it is asked for, and how many chunks hold it. */
export interface QueryWord {
  readonly word: string;
  readonly times: number;
  readonly chunks: number;
}

/** What BM25 has to know of the whole index. */
export interface Collection {
  readonly chunks: number;
  readonly averageLength: number;
}

/** The terms of each field of a chunk, in the order of their weights. */
export function fieldTerms(
  { text, section, symbol }: Chunk,
  { title, uri }: DocumentRecord,
): Record<Field, string[]> {
  return {
    body: terms(text),
    heading: terms(`${section}\n${title}`),
    path: terms(uri),
    symbol: symbol ? terms([symbol.name, ...symbol.scope].join('\n')) : [],
  };
}

/** The words of a chunk as they are stored. */
export function chunkWords(chunk: Chunk, document: DocumentRecord): ChunkWords {
  const fields = Object.values(fieldTerms(chunk, document)).map((field) => field.map(wordOf));
  return {
    lines: fields.map((words) => words.join(' ')).join('\n'),
    length: fields.reduce((sum, words) => sum + words.length, 0),
  };
}

/** The distinct words of a query, each with how often it is asked for. */
export function queryWords(given: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const term of given) {
    // A term with a gap or an end of a string in it is no word that a chunk could hold.
    if (term === '' || /[\s\0]/.test(term)) continue;
    const word = wordOf(term);
    times.set(word, (times.get(word) ?? 0) + 1);
  }
  return times;
}

/** How often each word stands in a chunk, weighted by its fields. */
export function wordFrequencies(lines: string): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const [field, line] of lines.split('\n', weights.length).entries()) {
    for (const word of line.split(' ')) {
      if (word !== '') frequencies.set(word, (frequencies.get(word) ?? 0) + (weights[field] ?? 0));
    }
  }
  return frequencies;
}

/** BM25 of a chunk in which words are this frequent; 0 where it holds none of those asked for. */
export function bm25(
  frequencies: ReadonlyMap<string, number>,
  length: number,
  words: readonly QueryWord[],
  collection: Collection,
): number {
  const norm = saturation * (1 - lengthWeight + (lengthWeight * length) / collection.averageLength);
  let score = 0;
  for (const { word, times, chunks } of words) {
    const frequency = frequencies.get(word) ?? 0;
    if (frequency === 0) continue;
    score +=
      (times * rarityOf(chunks, collection.chunks) * frequency * (saturation + 1)) / (frequency + norm);
  }
  return score;
}

/** What a word weighs that so many of all chunks hold. */
export function rarityOf(chunks: number, all: number): number {
  return Math.max(minRarity, Math.log((all - chunks + 0.5) / (chunks + 0.5)));
}

/** A term without its ending. */
export function wordOf(term: string): string {
  return stemmed.test(term) ? stemmer(term) : term;
}
