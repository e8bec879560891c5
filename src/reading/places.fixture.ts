import fc from 'fast-check';
import { expect } from 'vitest';
import type { Chunk } from '../core/chunk.ts';
import type { Place } from '../core/place.ts';
import { readDocument } from '../indexing/read-document.ts';
import { settingsSchema } from '../settings/settings.ts';
import { readingParts } from './reading.ts';

/** Small enough for several chunks of a page. */
const tiny = {
  min_tokens: 4,
  target_tokens: 16,
  max_tokens: 32,
  code_max_tokens: 64,
  email_max_tokens: 32,
  overlap_tokens: 0,
};
const countWords = (text: string) => text.split(/\s+/).filter(Boolean).length;
const parts = readingParts(settingsSchema.parse({}), countWords, tiny);

/** Reads a file of this name. */
export async function read(uri: string, content: string | Uint8Array) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const file = { uri, size: bytes.length, modifiedAt: Date.now() };
  return readDocument({ file, bytes, revision: 'r' }, parts);
}

/** The chunks of a file of this name, which must be readable. */
export async function chunksOf(uri: string, content: string | Uint8Array): Promise<Chunk[]> {
  const found = await read(uri, content);
  if (found.kind === 'skipped') throw new TypeError(`${found.skipped.reason}: ${found.skipped.rule}`);
  return found.chunks.map(({ chunk }) => chunk);
}

type PlaceOf<Kind extends Place['kind']> = Extract<Place, { kind: Kind }>;

/** The place of a chunk, which must be of this kind. */
export function placeOf<Kind extends Place['kind']>({ place }: Chunk, kind: Kind): PlaceOf<Kind> {
  expect(place.kind).toBe(kind);
  return place as PlaceOf<Kind>;
}

/** Numbered words, so that each stands in one place only. */
export const wordsIn = (text: string) => text.match(/\bw\d+\b/g) ?? [];
let known = 0;
/** So many words that stand nowhere else. */
export const numbered = (count: number) => {
  known += count;
  return Array.from({ length: count }, (_, at) => `w${known - count + at}`);
};

/** A text of paragraphs of unique words, as many as the draws say. */
export const paragraphs = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 });

/** Checks that a chunk begins in one text and ends in another. */
export function expectWordsAt(chunk: Chunk, first: string, last: string): void {
  const words = wordsIn(chunk.text);
  expect(first).toContain(words[0]);
  expect(last).toContain(words.at(-1));
}
