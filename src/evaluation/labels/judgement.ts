/** First and last line, counted from 1. */
export type LineRange = readonly [first: number, last: number];

/** What a person says is relevant to a question. */
export interface Label {
  /** A document's identity in its collection, or a path or the end of one. */
  readonly path: string;
  /** Above 0; a higher one is worth more. */
  readonly grade: number;
  /** First and last line that are relevant, counted from 1; the whole document where absent. */
  readonly lines?: LineRange;
}

/** A question with its labels. */
export interface JudgedQuestion {
  readonly id: string;
  readonly text: string;
  /** Questions of a kind are also summed up on their own. */
  readonly category?: string;
  readonly labels: readonly Label[];
}

/** A label together with the documents of an index that it means. */
export interface ResolvedLabel extends Label {
  readonly uris: ReadonlySet<string>;
}

/** Where a text was found. */
export interface FoundPlace {
  readonly uri: string;
  /** Absent where the format of the file has no lines. */
  readonly lines?: LineRange;
}

/** A text that was found, with every place that the hit names. */
export interface FoundText {
  /** Names the chunk. */
  readonly id: string;
  /** The chunk's own place first, then those of its copies; never empty. */
  readonly places: readonly FoundPlace[];
}

/** An answer as the metrics see it. */
export interface JudgedAnswer {
  /** The grade at each place; 0 is irrelevant. */
  readonly gains: readonly number[];
  /** What was found at each place; where a copy was judged, the copy. */
  readonly places: readonly { readonly uri: string; readonly lines?: LineRange }[];
}

/**
 * Turns texts into places. A place is a document, at the rank of its first text; if a label names lines, it is a chunk.
 * Each label is found once, by the first text inside what it names, also as a copy. A text that finds it again takes no
 * place. A text that finds several labels takes a place for each. Copies without a label take none.
 */
export function judge(found: readonly FoundText[], labels: readonly ResolvedLabel[]): JudgedAnswer {
  const byChunk = labels.some(({ lines }) => lines !== undefined);
  const open = new Set(labels);
  const seen = new Set<string>();
  const gains: number[] = [];
  const places: JudgedAnswer['places'][number][] = [];
  const take = (grade: number, { uri, lines }: FoundPlace) => {
    gains.push(grade);
    places.push({ uri, ...(byChunk && lines && { lines }) });
  };
  for (const text of found) {
    const [own] = text.places;
    if (!own) continue;
    const matching = labels.filter((label) => placeOf(label, text) !== undefined);
    const fresh = matching.filter((label) => open.has(label)).sort((a, b) => b.grade - a.grade);
    const key = byChunk ? text.id : own.uri;
    // A later chunk of a document may be the first one with a copy elsewhere.
    if (fresh.length === 0 && (matching.length > 0 || seen.has(key))) continue;
    seen.add(key);
    if (fresh.length === 0) take(0, own);
    for (const label of fresh) {
      open.delete(label);
      take(label.grade, placeOf(label, text) ?? own);
    }
  }
  return { gains, places };
}

/** The first place of a text that lies in what a label names. */
function placeOf({ uris, lines: named }: ResolvedLabel, { places }: FoundText): FoundPlace | undefined {
  const isNamed = (lines: LineRange | undefined) => named === undefined || (lines && touch(named, lines));
  return places.find(({ uri, lines }) => uris.has(uri) && isNamed(lines));
}

/** Whether two ranges have a line in common. */
export function touch(one: LineRange, other: LineRange): boolean {
  return one[0] <= other[1] && other[0] <= one[1];
}
