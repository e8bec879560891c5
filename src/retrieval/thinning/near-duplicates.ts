import type { StoreMatch } from '../../contracts/store.ts';
import type { TextPlace } from '../../core/hit.ts';
import { resemblance, sketchText, type TextSketch, wordsOf } from './text-sketch.ts';

/** A candidate that may represent others with the same text. */
export type Distinct<Candidate> = Candidate & {
  /** Other places of the text, best ranked first, ten at most; absent where there is none. */
  readonly alsoAt?: readonly TextPlace[];
};

/** Share of common five-word shingles from which two texts of prose count as the same. */
const sameFrom = 0.9;
/** In texts with fewer words, one other word is a large difference: only equal texts count as the same. */
const minWords = 60;
const maxPlaces = 10;
/** Types in which a single character may be the difference. */
const exactTypes: readonly string[] = ['code', 'data', 'log', 'sheet', 'event', 'contact'];

/** A candidate that is kept, with what is needed to recognise its copies. */
interface Kept<Candidate> {
  readonly candidate: Candidate;
  readonly match: StoreMatch;
  readonly sketch: TextSketch;
  readonly alsoAt: TextPlace[];
}

/**
 * Of candidates with the same text it keeps the best ranked, with the places of the others; the order does not change.
 * Two texts are the same when they differ only in white space and in the marks of quotes and comments. Long prose under the
 * same heading is the same when it shares nine tenths of its phrases, and all of its numbers and negations.
 */
export function withoutNearDuplicates<Candidate extends { readonly match: StoreMatch }>(
  candidates: readonly Candidate[],
): Distinct<Candidate>[] {
  const kept: Kept<Candidate>[] = [];
  const byWhole = new Map<number, Kept<Candidate>[]>();
  const byShingle = new Map<number, Kept<Candidate>[]>();
  for (const candidate of candidates) {
    const { match } = candidate;
    const sketch = sketchOf(match);
    const keys = telltales(sketch);
    const original =
      byWhole.get(sketch.whole)?.find((known) => isEqual(known.match, match)) ??
      firstAlike(keys, byShingle, match, sketch);
    if (original) {
      const { uri } = match.document;
      if (original.alsoAt.length < maxPlaces) original.alsoAt.push({ uri, place: match.chunk.place });
      continue;
    }
    const entry = { candidate, match, sketch, alsoAt: [] };
    kept.push(entry);
    file(byWhole, sketch.whole, entry);
    for (const key of keys) file(byShingle, key, entry);
  }
  return kept.map(({ candidate, alsoAt }) => (alsoAt.length > 0 ? { ...candidate, alsoAt } : candidate));
}

/** Sketches of what was found: an order is made twice where a reranker has a say. */
const sketches = new WeakMap<StoreMatch, TextSketch>();

function sketchOf(match: StoreMatch): TextSketch {
  const sketch = sketches.get(match) ?? sketchText(match.chunk.text, isProse(match));
  sketches.set(match, sketch);
  return sketch;
}

function isProse({ chunk, document }: StoreMatch): boolean {
  return !chunk.symbol && document.metadata.language === undefined && !exactTypes.includes(document.type);
}

/**
 * The first tenth of the sorted shingles. Two texts that share nine tenths of all shingles share at least one of these,
 * so that only such texts need to be compared. None for a text that is too short.
 */
function telltales({ words, shingles }: TextSketch): Uint32Array {
  if (words < minWords) return shingles.subarray(0, 0);
  return shingles.subarray(0, shingles.length - Math.ceil(sameFrom * shingles.length) + 1);
}

/** The best ranked of those kept that has nearly the same words. */
function firstAlike<Candidate>(
  keys: Uint32Array,
  byShingle: ReadonlyMap<number, readonly Kept<Candidate>[]>,
  match: StoreMatch,
  sketch: TextSketch,
): Kept<Candidate> | undefined {
  const seen = new Set<Kept<Candidate>>();
  for (const key of keys) {
    for (const known of byShingle.get(key) ?? []) {
      if (seen.has(known)) continue;
      seen.add(known);
      if (
        known.sketch.critical === sketch.critical &&
        known.match.chunk.section === match.chunk.section &&
        resemblance(known.sketch.shingles, sketch.shingles) >= sameFrom
      )
        return known;
    }
  }
  return undefined;
}

function isEqual({ chunk: one }: StoreMatch, { chunk: other }: StoreMatch): boolean {
  if (one.text === other.text) return true;
  const words = wordsOf(one.text);
  return words !== '' && words === wordsOf(other.text);
}

function file<Entry>(index: Map<number, Entry[]>, key: number, entry: Entry): void {
  const known = index.get(key);
  if (known) known.push(entry);
  else index.set(key, [entry]);
}
