import type { Hit } from '../../core/hit.ts';
import { documentId } from '../../core/identity.ts';
import type { Project } from '../../project/project.ts';
import type { OpenedPart } from '../evaluation-set.ts';
import type { FoundText, LineRange, Place, ResolvedLabel } from './judgement.ts';

/** The lines of each chunk of a document, in its order; none where it has no chunk. */
export type ChunkLines = (uri: string) => Promise<readonly LineRange[]>;

/** Reads the lines of chunks from a project's index, of each document once. */
export function chunkLinesOf(project: Pick<Project, 'store'>): ChunkLines {
  const known = new Map<string, Promise<readonly LineRange[]>>();
  return (uri) => {
    const read = known.get(uri) ?? readLines(project, uri);
    known.set(uri, read);
    return read;
  };
}

async function readLines(project: Pick<Project, 'store'>, uri: string): Promise<readonly LineRange[]> {
  const store = await project.store();
  const chunks = await store.chunksOf(documentId(uri));
  return chunks.map(({ span }) => [span.firstLine, span.lastLine] as const);
}

/**
 * Hits as a person sees them: each text with all its places, its own first and then those of its copies. Documents that
 * are not judged are left out, and so is a text without any other place.
 */
export async function foundTexts(
  hits: readonly Pick<Hit, 'chunk' | 'document' | 'alsoAt'>[],
  labels: readonly ResolvedLabel[],
  { isIgnored }: Pick<OpenedPart, 'isIgnored'>,
  linesOf: ChunkLines,
): Promise<FoundText[]> {
  const judgedByLines = new Set(labels.flatMap(({ uris, lines }) => (lines ? [...uris] : [])));
  const found: FoundText[] = [];
  for (const { chunk, document, alsoAt = [] } of hits) {
    const own: LineRange = [chunk.span.firstLine, chunk.span.lastLine];
    const places: Place[] = [{ uri: document.uri, lines: own }];
    for (const { uri, firstLine } of alsoAt) {
      const chunks = judgedByLines.has(uri) ? await linesOf(uri) : [];
      places.push({ uri, lines: linesFrom(firstLine, own[1] - own[0], chunks) });
    }
    const judged = places.filter(({ uri }) => isIgnored?.(uri) !== true);
    if (judged.length > 0) found.push({ id: chunk.id, places: judged });
  }
  return found;
}

/** A hit has the first line of a copy only. Its last line is that of the copy's own chunk, because blank lines may differ. */
function linesFrom(first: number, height: number, chunks: readonly LineRange[]): LineRange {
  const [nearest] = chunks
    .filter((lines) => lines[0] === first)
    .sort((a, b) => Math.abs(a[1] - first - height) - Math.abs(b[1] - first - height));
  return nearest ?? [first, first + height];
}
