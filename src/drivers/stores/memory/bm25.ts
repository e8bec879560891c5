/** A chunk on its way into a ranking, with the terms it is found by. */
export interface TermList<Entry> {
  readonly entry: Entry;
  readonly terms: readonly string[];
}

/** An entry and how well it answers. */
export interface Ranked<Entry> {
  readonly entry: Entry;
  readonly score: number;
}

const saturation = 1.2;
const lengthWeight = 0.75;

/** The entries with at least one of the wanted terms, best first by Okapi BM25 over the whole collection. */
export function rankByTerms<Entry>(
  wanted: readonly string[],
  collection: readonly TermList<Entry>[],
): Ranked<Entry>[] {
  const total = collection.reduce((sum, { terms }) => sum + terms.length, 0);
  const averageLength = total / Math.max(1, collection.length);
  const scores = new Map<Entry, number>();
  for (const term of wanted) {
    const holders = collection
      .map(({ entry, terms }) => ({ entry, length: terms.length, count: occurrences(term, terms) }))
      .filter(({ count }) => count > 0);
    const rarity = Math.log(1 + (collection.length - holders.length + 0.5) / (holders.length + 0.5));
    for (const { entry, length, count } of holders) {
      const norm = saturation * (1 - lengthWeight + (lengthWeight * length) / averageLength);
      const gain = (rarity * count * (saturation + 1)) / (count + norm);
      scores.set(entry, (scores.get(entry) ?? 0) + gain);
    }
  }
  return [...scores]
    .map(([entry, score]) => ({ entry, score }))
    .sort((one, other) => other.score - one.score);
}

function occurrences(term: string, terms: readonly string[]): number {
  let count = 0;
  for (const candidate of terms) if (candidate === term) count += 1;
  return count;
}
