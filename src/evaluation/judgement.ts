import type { Hit } from '../core/hit.ts';

/** What a person says is relevant to a question. */
export interface Label {
  /** A document's identity in its collection, or a path or the end of one. */
  readonly path: string;
  /** Above 0; a higher one is worth more. */
  readonly grade: number;
  /** First and last line that are relevant, counted from 1; the whole document where absent. */
  readonly lines?: readonly [number, number];
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
export interface ResolvedLabel extends Omit<Label, 'path'> {
  readonly uris: ReadonlySet<string>;
}

/** An answer as the metrics see it. */
export interface JudgedAnswer {
  /** The grade at each place; 0 is irrelevant. */
  readonly gains: readonly number[];
  /** What stands at each place. */
  readonly places: readonly { readonly uri: string; readonly lines?: readonly [number, number] }[];
}

/**
 * Turns passages into places. A place is a document, at the rank of its first passage, unless a label names lines: then
 * it is a passage. Each label is found once, and what finds it again takes no place; a passage that finds several at
 * once takes a place for each.
 */
export function judge(
  hits: readonly Pick<Hit, 'chunk' | 'document'>[],
  labels: readonly ResolvedLabel[],
): JudgedAnswer {
  const byPassage = labels.some(({ lines }) => lines !== undefined);
  const open = new Set(labels);
  const seen = new Set<string>();
  const gains: number[] = [];
  const places: JudgedAnswer['places'][number][] = [];
  for (const { chunk, document } of hits) {
    const lines = [chunk.span.firstLine, chunk.span.lastLine] as const;
    const matching = labels.filter((label) => isMeant(label, document.uri, lines));
    const found = matching.filter((label) => open.has(label));
    const key = byPassage ? chunk.id : document.uri;
    if (seen.has(key) || (matching.length > 0 && found.length === 0)) continue;
    seen.add(key);
    for (const label of found) open.delete(label);
    const place = { uri: document.uri, ...(byPassage && { lines }) };
    const grades = found.length === 0 ? [0] : found.map(({ grade }) => grade).sort((a, b) => b - a);
    for (const grade of grades) {
      gains.push(grade);
      places.push(place);
    }
  }
  return { gains, places };
}

function isMeant(label: ResolvedLabel, uri: string, [first, last]: readonly [number, number]): boolean {
  if (!label.uris.has(uri)) return false;
  return label.lines === undefined || (label.lines[0] <= last && first <= label.lines[1]);
}
