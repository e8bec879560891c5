import type { Hit } from '../core/hit.ts';
import type { OpenedPart } from './evaluation-set.ts';
import type { FoundText, Place, ResolvedLabel } from './judgement.ts';
import type { LineRange, PassageLines } from './passage-lines.ts';

/**
 * Hits as a person is shown them: each text with the places where it stands, its own first and then those of its
 * copies. Documents that are no part of what is judged are left out, and a text that stands nowhere else with them.
 */
export async function foundTexts(
  hits: readonly Pick<Hit, 'chunk' | 'document' | 'alsoAt'>[],
  labels: readonly ResolvedLabel[],
  { isIgnored }: Pick<OpenedPart, 'isIgnored'>,
  linesOf: PassageLines,
): Promise<FoundText[]> {
  const judgedByLines = new Set(labels.flatMap(({ uris, lines }) => (lines ? [...uris] : [])));
  const found: FoundText[] = [];
  for (const { chunk, document, alsoAt = [] } of hits) {
    const own: LineRange = [chunk.span.firstLine, chunk.span.lastLine];
    const places: Place[] = [{ uri: document.uri, lines: own }];
    for (const { uri, firstLine } of alsoAt) {
      const passages = judgedByLines.has(uri) ? await linesOf(uri) : [];
      places.push({ uri, lines: linesFrom(firstLine, own[1] - own[0], passages) });
    }
    const judged = places.filter(({ uri }) => isIgnored?.(uri) !== true);
    if (judged.length > 0) found.push({ id: chunk.id, places: judged });
  }
  return found;
}

/** A hit says where a copy begins; it ends where its own passage does, for blank lines and breaks may differ. */
function linesFrom(first: number, height: number, passages: readonly LineRange[]): LineRange {
  const [nearest] = passages
    .filter((lines) => lines[0] === first)
    .sort((a, b) => Math.abs(a[1] - first - height) - Math.abs(b[1] - first - height));
  return nearest ?? [first, first + height];
}
