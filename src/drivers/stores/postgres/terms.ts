import type { Chunk } from '../../../core/chunk.ts';
import type { DocumentRecord } from '../../../core/document.ts';
import { sha256 } from '../../../core/identity.ts';
import { terms } from '../../../core/text/terms.ts';
import { wordProbe } from '../word-probe.ts';
import { type Field, fieldTerms, fieldWeights, wordOf as stemOf } from '../words.ts';

/** The weights of the fields in halves. */
const halves = Object.entries(fieldWeights).map(([field, weight]) => [field as Field, 2 * weight] as const);
/** Longer words are kept as their hash: an index takes none of any length. */
const maxWordLength = 200;
/** Positions of one word: more occurrences do not make a chunk more relevant. */
const maxPositions = 64;
/** Bytes of all words of a chunk, of the million that PostgreSQL takes. */
const maxBytes = 900_000;

/** What a chunk is found by. */
export interface ChunkTerms {
  /** Number of words, repetitions included. */
  readonly length: number;
  /** In the syntax of `tsvector`; see `frequencySteps` for what its positions mean. */
  readonly vector: string;
  readonly words: readonly string[];
}

/** A term as it is stored and looked up. */
export function wordOf(term: string): string {
  return term.length > maxWordLength ? sha256(term) : stemOf(term);
}

/** Two chunks with equal keys are found by the same words. */
export function textKey({ text, section, symbol }: Chunk, { title, uri }: DocumentRecord): string {
  return sha256(JSON.stringify([text, section, symbol?.name, symbol?.scope, title, uri])).slice(0, 32);
}

/** The words of a chunk, each as often as its weight says. */
export function chunkTerms(chunk: Chunk, document: DocumentRecord): ChunkTerms {
  const fields = fieldTerms(chunk, document);
  const weights = new Map<string, number>();
  let length = 0;
  for (const [field, weight] of halves) {
    length += fields[field].length;
    for (const term of fields[field]) {
      const word = wordOf(term);
      weights.set(word, (weights.get(word) ?? 0) + weight);
    }
  }
  const words: string[] = [];
  const parts: string[] = [];
  let bytes = 0;
  for (const [word, weight] of weights) {
    const positions = Math.min(maxPositions, weight - 1);
    bytes += Buffer.byteLength(word) + 2 * positions + 8;
    if (bytes > maxBytes) break;
    words.push(word);
    parts.push(`${quotedWord(word)}:${positionLists[positions]}`);
  }
  return { length, vector: parts.join(' '), words };
}

/** A word as `tsvector` and `tsquery` take it, in which nothing has a meaning of its own. */
export function quotedWord(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

const positionLists = Array.from({ length: maxPositions + 1 }, (_, count) =>
  Array.from({ length: count }, (_unused, position) => position + 1).join(','),
);

/**
 * How `ts_rank` shows the number of positions of a word. PostgreSQL has no function for it, but with all weights 1 the rank
 * of a single word is the sum of 1/i² over its positions, divided by π²/6: a number that rises with each position. So a
 * word of weighted frequency f gets 2f - 1 positions, and the place of its rank among these steps gives f back.
 */
export const frequencySteps: readonly number[] = Array.from({ length: maxPositions }, (_, count) => {
  let sum = 0;
  for (let position = 1; position <= count + 1; position += 1) sum += 1 / position ** 2;
  // Just below, since the server counts in single precision.
  return sum / 1.64493406685 - 1 / (4 * (count + 1) ** 2);
});

let recipe: string | undefined;

/** Names the rules by which the words of an index are made. */
export function textRecipe(): string {
  recipe ??= sha256(
    ['1', JSON.stringify(Object.fromEntries(halves)), ...terms(wordProbe).map(wordOf)].join('\n'),
  ).slice(0, 16);
  return recipe;
}
